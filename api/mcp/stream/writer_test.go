package stream

import (
	"net/http/httptest"
	"testing"
	"time"
)

// flushes counts how often something is sent.
type flushes struct {
	*httptest.ResponseRecorder
	n int
}

func (f *flushes) Flush() { f.n++ }

// TestHold: what is written meanwhile is sent once, by whoever releases first, and nothing after the end.
func TestHold(t *testing.T) {
	f := &flushes{ResponseRecorder: httptest.NewRecorder()}
	w := NewWriter(f, time.Hour)
	say := func(want int) {
		t.Helper()
		if _, err := w.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		w.Flush()
		if f.n != want {
			t.Errorf("sent %d times, want %d", f.n, want)
		}
	}
	release := func(want int) {
		t.Helper()
		if w.Release(); f.n != want {
			t.Errorf("released: sent %d times, want %d", f.n, want)
		}
	}
	say(1)
	w.Hold()
	w.Hold()
	say(1)
	say(1)
	release(2)
	say(2)
	release(3)
	say(4)
	w.Hold()
	release(4) // nothing was written
	w.Hold()
	say(4)
	w.Close()
	release(4)
	if got := f.Body.String(); got != "xxxxxx" {
		t.Errorf("%q", got)
	}
}
