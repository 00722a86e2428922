package queue

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// Limits of the images of one prompt. The daemon reads their headers and never decodes them: a small file can hold a
// picture of gigabytes.
const (
	maxImages     = 8
	maxImageBytes = 10 << 20 // of one
	maxPixels     = 50 << 20 // of one: about 7,200 × 7,200
	maxSide       = 16384    // pixels
	PromptBody    = 40 << 20 // of a whole prompt, base64 included
)

func badImage(detail, hint string) error {
	return protocol.NewProblem(protocol.CodeInvalidRequest, detail, hint)
}

func checkImages(images []resource.PromptImage) error {
	if len(images) > maxImages {
		return badImage("There are too many images.", "At most 8 in one prompt.")
	}
	for i := range images {
		if err := checkImage(&images[i]); err != nil {
			return err
		}
	}
	return nil
}

func checkImage(p *resource.PromptImage) error {
	if len(p.Data) > maxImageBytes {
		return protocol.NewProblem(protocol.CodeTooLarge, "An image is too large.", "At most 10 MiB each.")
	}
	media, width, height := sniffImage(p.Data)
	switch {
	case media == "":
		return badImage("An image is of no kind that is taken.", "Send PNG, JPEG, GIF or WebP.")
	case media != p.MediaType:
		return badImage("An image is not of the kind that its mediaType says.", "Its first bytes say "+media+".")
	case width == 0 || height == 0:
		return badImage("The header of an image has no size.", "Send a whole file.")
	case width > maxSide || height > maxSide || uint64(width)*uint64(height) > maxPixels:
		return protocol.NewProblem(protocol.CodeTooLarge, "An image has too many pixels.", "At most 16,384 on a side and 50 million in all.")
	}
	return nil
}

type imageInput struct {
	operation.SessionPath
	Digest      string `path:"digest" doc:"The hexadecimal SHA-256 of an image reference"`
	IfNoneMatch string `header:"If-None-Match" hidden:"true"`
}

func (q *Prompts) registerImages(t *operation.Table) {
	binaryBody := func() *huma.MediaType {
		return &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
	}
	operation.Register(t, operation.Operation{
		ID: "getSessionImage", Method: http.MethodGet, Path: "/sessions/{id}/images/{digest}", Tag: "log",
		Summary: "Read an image of a prompt", Text: "Events name images by reference: sha256:DIGEST;MEDIATYPE.",
		Errors: []int{http.StatusNotFound},
		Responses: map[string]*huma.Response{"200": {Description: "The image as it was sent", Content: map[string]*huma.MediaType{
			"image/png": binaryBody(), "image/jpeg": binaryBody(), "image/gif": binaryBody(), "image/webp": binaryBody(),
		}}},
	}, q.image)
}

func (q *Prompts) image(ctx context.Context, in *imageInput) (*huma.StreamResponse, error) {
	if !protocol.ValidSessionID(in.ID) {
		return nil, supervisor.NotFound()
	}
	store, err := q.sup.Images(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	f, err := store.Open(in.Digest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, protocol.NewProblem(protocol.CodeNotFound, "The session has no such image.", "The log names its images.")
	}
	if errors.Is(err, session.ErrImageDamaged) {
		q.log.Error("image", zap.String("session", in.ID), zap.String("digest", in.Digest), zap.Error(err))
		return nil, operation.Damaged("The image is not as it was written: its bytes have another digest.",
			"Send it again with a prompt, or restore it from a backup.")
	}
	if err != nil {
		return nil, err
	}
	head := make([]byte, 32)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return nil, errors.Join(err, f.Close())
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	media, _, _ := sniffImage(head[:n])
	return &huma.StreamResponse{Body: func(hc huma.Context) {
		defer f.Close()
		r, w := humago.Unwrap(hc)
		w.Header().Set("Content-Type", media)
		w.Header().Set("ETag", `"`+in.Digest+`"`)
		w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
		http.ServeContent(w, r, "", info.ModTime(), f)
	}}, nil
}
