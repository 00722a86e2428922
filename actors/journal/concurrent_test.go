package journal_test

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// TestReadersWhileAppending: any number of readers, at any position, see exactly what is published, through rolls, syncs
// by another goroutine, releases and drops. The race detector watches.
func TestReadersWhileAppending(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session")
	j, err := journal.Create(path, journal.Options{SegmentBytes: 20_000})
	if err != nil {
		t.Fatal(err)
	}
	const batches = 400
	// The book is written in full before anybody reads it.
	var k book
	var all []journal.Batch
	r := seeded(20)
	for range batches {
		b := k.next(r)
		k.add(b)
		all = append(all, b)
	}
	var published atomic.Uint64
	var group sync.WaitGroup
	done := make(chan struct{})
	for n := range uint64(6) {
		group.Go(func() {
			r := seeded(n)
			for at := uint64(0); at < k.newest(); {
				upTo := published.Load()
				oldest, newest := j.Log().Bounds()
				if newest < upTo {
					t.Errorf("newest %d, published %d", newest, upTo)
					return
				}
				if oldest > upTo+1 { // dropped since upTo was looked at
					continue
				}
				since := max(at, oldest-1)
				if n%2 == 0 && upTo > oldest {
					since = oldest - 1 + r.Uint64N(upTo-oldest+1)
				}
				got, err := part(j.Log(), since, upTo, n%3 == 0)
				var gone *journal.GoneError
				if errors.As(err, &gone) {
					continue
				}
				if err != nil || !bytes.Equal(got, k.between(since, upTo)) {
					t.Errorf("range %d..%d: %d bytes, %v", since, upTo, len(got), err)
					return
				}
				at = upTo
			}
		})
	}
	group.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				if err := j.Sync(); err != nil {
					t.Errorf("sync: %v", err)
					return
				}
			}
		}
	})
	for i, b := range all {
		if err := j.Append(b); err != nil {
			t.Fatal(err)
		}
		published.Store(b.First + uint64(b.Count) - 1)
		switch {
		case i%31 == 0:
			err = j.Release()
		case i%97 == 0:
			err = j.DropBefore(b.First - 100)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	close(done)
	group.Wait()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := part(j.Log(), k.newest()-1, k.newest(), false); err != nil {
		t.Errorf("after close: %v", err)
	}
}

// part reads a range by lines or as a whole.
func part(l store.Log, since, upTo uint64, byLine bool) ([]byte, error) {
	if !byLine {
		r, err := l.Range(since, upTo)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return io.ReadAll(r)
	}
	lines, err := store.LinesOf(l, since, upTo)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	var b []byte
	for lines.Next() {
		b = append(append(b, lines.Line()...), '\n')
	}
	return b, lines.Err()
}
