package s3

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// TestSendingIsOver: what is left of a request that has ended gets nothing of the body.
func TestSendingIsOver(t *testing.T) {
	s := &sending{body: objects.Bytes([]byte("picture")).Verify(t.Context())}
	if n, err := s.Read(make([]byte, 3)); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if b, err := io.ReadAll(s); len(b) > 0 || !errors.Is(err, errOver) {
		t.Errorf("%q, %v", b, err)
	}
}

// TestClosedAtOnce: no request begins behind Close.
func TestClosedAtOnce(t *testing.T) {
	s, err := Open(Options{Bucket: "bucket"})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	ctx, end := s.(*store).calling(t.Context())
	defer end()
	if !errors.Is(context.Cause(ctx), errClosed) {
		t.Error("a request may begin")
	}
}
