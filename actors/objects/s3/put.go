package s3

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// absent are the options of a put that is done only where the key is free.
func absent() minio.PutObjectOptions {
	o := minio.PutObjectOptions{ContentType: "application/octet-stream", DisableContentSha256: true}
	o.SetMatchETagExcept("*")
	return o
}

func (s *store) Put(ctx context.Context, key string, body objects.Body) (fresh bool, err error) {
	if err := errors.Join(objects.CheckKey(key), body.Check()); err != nil {
		return false, &objects.RefusedError{Op: "put", Err: err}
	}
	ctx, end := s.calling(ctx)
	defer end()
	return s.putting(ctx, key, func() error {
		return send(ctx, body, func(from io.Reader) error {
			_, err := s.core.PutObject(ctx, s.options.Bucket, s.name(key), from, body.Size, "", body.SHA256.String(), absent())
			return err
		})
	})
}

// putting tells whether a put was done, or why not. One that had no answer, or was told that another one is under way, is tried again a moment later.
func (s *store) putting(ctx context.Context, key string, put func() error) (fresh bool, err error) {
	away := new(*objects.AwayError)
	for try := 1; ; try++ {
		err = put()
		switch {
		case err == nil:
			return true, nil
		case minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed:
			return false, nil
		}
		if err = told(ctx, "put", key, err); !errors.As(err, away) || try == tries {
			return false, err
		}
		select {
		case <-ctx.Done():
			return false, err
		case <-time.After(50 * time.Millisecond << (2 * try)):
		}
	}
}

// send has a body sent once. An *objects.RefusedError says that it was not what it should be; then its last bytes were not sent.
func send(ctx context.Context, body objects.Body, request func(from io.Reader) error) error {
	from := &sending{body: body.Verify(ctx)}
	if body.Size == 0 { // nobody reads it
		_, _ = from.Read(nil)
		if err := from.end(); err != nil {
			return err
		}
	}
	err := request(from)
	if refused := from.end(); refused != nil {
		return refused
	}
	return err
}

// sending is a body on its way. Where the server answers before it has all of it, the client may go on reading behind its own return: from end on it has
// nothing of the body. It cannot go back, so that no client tries by itself again while another goroutine of its reads.
type sending struct {
	mu   sync.Mutex
	body *objects.Verified
	over bool
}

var errOver = errors.New("the request is over")

func (s *sending) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return 0, errOver
	}
	return s.body.Read(p)
}

func (s *sending) end() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	return s.body.Refused("put")
}
