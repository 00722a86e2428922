// Package s3 is an object store on a bucket of an S3 server that has conditional puts: it puts with If-None-Match: *, so that the server decides which of
// several writers puts an object. It says nothing itself of a server that ignores that header; objects.Check does, and asks the rest of what is needed.
//
// A body is sent in one request whose signature has its SHA-256: a server that checks signatures checks the bytes as well. No checksums are sent behind
// the body, since not all servers take them. The last bytes of a body are sent only once its digest is known to be right.
//
// A request that fails for a reason that may pass is tried again, within the call's context. So a put may find what its own first try has put, and says then
// that something was there.
package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/minio/minio-go/v7"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// tries bounds how often a request is sent.
const tries = 4

// store is a way to a bucket.
type store struct {
	options   Options
	core      minio.Core
	transport *http.Transport

	closing context.Context // done when Close begins
	close   context.CancelCauseFunc
	once    sync.Once
}

var _ objects.Asked = (*store)(nil)

var errClosed = errors.New("closed")

func (s *store) Close() {
	s.once.Do(func() {
		s.close(errClosed)
		s.transport.CloseIdleConnections()
	})
}

// calling is the context of one call, which ends with the store as well. end must be called.
func (s *store) calling(ctx context.Context) (call context.Context, end func()) {
	call, cancel := context.WithCancelCause(ctx)
	if s.closing.Err() != nil {
		cancel(errClosed)
	}
	stop := context.AfterFunc(s.closing, func() { cancel(errClosed) })
	return call, func() {
		stop()
		cancel(nil)
	}
}

func (s *store) name(key string) string { return s.options.Prefix + key }

func (s *store) Stat(ctx context.Context, key string) (objects.Info, error) {
	if err := objects.CheckKey(key); err != nil {
		return objects.Info{}, &objects.RefusedError{Op: "stat", Err: err}
	}
	ctx, end := s.calling(ctx)
	defer end()
	info, err := s.core.StatObject(ctx, s.options.Bucket, s.name(key), minio.StatObjectOptions{})
	if err == nil {
		return objects.Info{Key: key, Size: info.Size, Modified: info.LastModified}, nil
	}
	err = told(ctx, "stat", key, err)
	if missing := new(*objects.NotFoundError); errors.As(err, missing) {
		// The answer to HEAD has no body: it is the same where the bucket is missing, or the caller is not known.
		body, _, _, why := s.core.GetObject(ctx, s.options.Bucket, s.name(key), minio.GetObjectOptions{})
		if why != nil {
			return objects.Info{}, told(ctx, "stat", key, why)
		}
		_ = body.Close() // it was put a moment ago
	}
	return objects.Info{}, err
}

func (s *store) Delete(ctx context.Context, key string) error {
	if err := objects.CheckKey(key); err != nil {
		return &objects.RefusedError{Op: "delete", Err: err}
	}
	ctx, end := s.calling(ctx)
	defer end()
	err := told(ctx, "delete", key, s.core.RemoveObject(ctx, s.options.Bucket, s.name(key), minio.RemoveObjectOptions{}))
	if missing := new(*objects.NotFoundError); errors.As(err, missing) {
		return nil
	}
	return err
}

func (s *store) Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := objects.CheckGet(key, offset, length); err != nil {
		return nil, err
	}
	if length == 0 { // S3 has no such range
		if _, err := s.Stat(ctx, key); err != nil {
			return nil, err
		}
		return io.NopCloser(strings.NewReader("")), nil
	}
	asked := ""
	if last := offset + length - 1; length == objects.Whole || last < offset {
		if offset > 0 {
			asked = fmt.Sprintf("bytes=%d-", offset)
		}
	} else {
		asked = fmt.Sprintf("bytes=%d-%d", offset, last)
	}
	ctx, end := s.calling(ctx)
	options := minio.GetObjectOptions{}
	if asked != "" {
		options.Set("Range", asked)
	}
	body, info, header, err := s.core.GetObject(ctx, s.options.Bucket, s.name(key), options)
	if err != nil {
		err = told(ctx, "get", key, err)
		end()
		if errors.Is(err, errBeyond) {
			return io.NopCloser(strings.NewReader("")), nil
		}
		return nil, err
	}
	r := &reader{ctx: ctx, end: end, body: body, left: info.Size}
	if asked != "" && !begins(header.Get("Content-Range"), offset) {
		_ = r.Close()
		return nil, &objects.AccessError{Op: "get", Err: errors.New("the answer to a range is another one"), Hint: hintRange}
	}
	return r, nil
}

// begins says whether a header, "bytes FIRST-LAST/SIZE", is that of a range that begins at an offset.
func begins(header string, offset int64) bool {
	rest, ok := strings.CutPrefix(header, "bytes ")
	first, _, _ := strings.Cut(rest, "-")
	n, err := strconv.ParseInt(first, 10, 64)
	return ok && err == nil && n == offset
}

// reader reads an answer of the server.
type reader struct {
	ctx  context.Context
	end  func()
	body io.ReadCloser
	left int64 // bytes that the server has promised
}

// Read gives io.EOF behind all that was promised, and not before.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	r.left -= int64(n)
	switch {
	case r.ctx.Err() != nil: // also where what was read before is there: nothing more comes
		return 0, told(r.ctx, "read", "", r.ctx.Err())
	case errors.Is(err, io.EOF) && r.left > 0:
		err = told(r.ctx, "read", "", io.ErrUnexpectedEOF)
	case err != nil && !errors.Is(err, io.EOF):
		err = told(r.ctx, "read", "", err)
	}
	return n, err
}

// Close ends the request: what was not read of it is not fetched.
func (r *reader) Close() error {
	r.end()
	_ = r.body.Close() // there is nothing more to lose
	return nil
}
