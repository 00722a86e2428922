package stream

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func (st *Store) replay(t *testing.T, session, stream string, index int) (list []string, err error) {
	t.Helper()
	for data, err := range st.After(t.Context(), session, stream, index) {
		if err != nil {
			return nil, err
		}
		list = append(list, string(data))
	}
	return list, nil
}

// open begins streams.
func (st *Store) open(t *testing.T, session string, streams ...string) {
	t.Helper()
	for _, stream := range streams {
		if err := st.Open(t.Context(), session, stream); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStoreKeepsNothingOfWhatIsOver: a stream that was dropped is not begun anew in its middle, and a session that has ended leaves
// nothing.
func TestStoreKeepsNothingOfWhatIsOver(t *testing.T) {
	st := NewStore()
	st.open(t, "s", "first")
	add := func(stream string) {
		t.Helper()
		if err := st.Append(t.Context(), "s", stream, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	add("first")
	for i := range maxStoredStreams {
		st.open(t, "s", fmt.Sprint(i))
	}
	add("first")
	if _, err := st.replay(t, "s", "first", 0); !errors.Is(err, sdk.ErrEventsPurged) {
		t.Errorf("a dropped stream: %v", err)
	}
	if err := st.SessionClosed(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	add("0")
	if len(st.sessions) != 0 || st.bytes != 0 {
		t.Errorf("%d bytes of %d sessions are left", st.bytes, len(st.sessions))
	}
}

// TestStoreReplays what follows an index; a client without one gets what is kept, numbered anew.
// Proves: 004.D3/resume
func TestStoreReplays(t *testing.T) {
	st := NewStore()
	st.open(t, "s", "")
	for i := range 5 {
		if err := st.Append(t.Context(), "s", "", []byte(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	for index, want := range map[int]string{-1: "[0 1 2 3 4]", 0: "[1 2 3 4]", 3: "[4]", 4: "[]", 9: "[]"} {
		if got, err := st.replay(t, "s", "", index); err != nil || fmt.Sprint(got) != want {
			t.Errorf("after %d: %v %v, want %s", index, got, err, want)
		}
	}
	if _, err := st.replay(t, "s", "unknown", 0); !errors.Is(err, sdk.ErrEventsPurged) {
		t.Errorf("%v", err)
	}
	if _, err := st.replay(t, "unknown", "", 0); !errors.Is(err, sdk.ErrEventsPurged) {
		t.Errorf("%v", err)
	}
}

// TestStoreIsBounded for each MCP session and in all; what is gone is said to be, and a client without an index starts over.
// Proves: 004.D3/bounded, D4.2.streaming/purged
func TestStoreIsBounded(t *testing.T) {
	st := NewStore()
	big := bytes.Repeat([]byte("x"), 100_000)
	for i := range 100 {
		for _, stream := range []string{"", fmt.Sprint("request", i)} {
			st.open(t, "noisy", stream)
			if err := st.Append(t.Context(), "noisy", stream, big); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := st.sessions["noisy"].bytes; n > maxStored || n < maxStored/2 {
		t.Errorf("%d bytes are kept", n)
	}
	if n := len(st.sessions["noisy"].order); n > maxStoredStreams {
		t.Errorf("%d streams are kept", n)
	}
	if _, err := st.replay(t, "noisy", "", 3); !errors.Is(err, sdk.ErrEventsPurged) {
		t.Errorf("what is gone: %v", err)
	}
	fresh, err := st.replay(t, "noisy", "", -1)
	if err != nil || len(fresh) == 0 {
		t.Fatalf("a client that starts over: %d, %v", len(fresh), err)
	}
	if again, err := st.replay(t, "noisy", "", len(fresh)-2); err != nil || len(again) != 1 {
		t.Errorf("numbered anew: %d, %v", len(again), err)
	}
	for i := range 2000 {
		st.open(t, fmt.Sprint("s", i), "")
		for range 2 {
			if err := st.Append(t.Context(), fmt.Sprint("s", i), "", big); err != nil {
				t.Fatal(err)
			}
		}
	}
	if limit := maxStoredInAll + 2000*leastStored; st.bytes > limit {
		t.Errorf("%d bytes in all, more than %d", st.bytes, limit)
	}
	for id := range st.sessions {
		if err := st.SessionClosed(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if st.bytes != 0 || len(st.sessions) != 0 {
		t.Errorf("%d bytes of %d sessions are left", st.bytes, len(st.sessions))
	}
}
