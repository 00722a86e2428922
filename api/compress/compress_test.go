package compress

import (
	"context"
	"testing"
)

// TestCompressionSlots: with all slots taken, a client that also takes identity does not wait, and one that does not, does.
func TestCompressionSlots(t *testing.T) {
	z := NewPool(1)
	first, release := z.Take(context.Background(), Encoding{Name: "gzip", Identity: true})
	if first == nil {
		t.Fatal("no encoder in an empty pool")
	}
	if second, _ := z.Take(context.Background(), Encoding{Name: "zstd", Identity: true}); second != nil {
		t.Error("more encoders than slots")
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if second, _ := z.Take(gone, Encoding{Name: "zstd"}); second != nil {
		t.Error("more encoders than slots")
	}
	release()
	second, release := z.Take(context.Background(), Encoding{Name: "zstd"})
	if second == nil {
		t.Error("no encoder after the release")
	}
	release()
}
