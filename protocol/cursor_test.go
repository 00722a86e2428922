package protocol

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestParseCursor(t *testing.T) {
	for text, want := range map[string]Cursor{
		"0": {1, 0}, "1": {1, 1}, "42": {1, 42}, "9007199254740991": {1, MaxSeq}, "2.0": {2, 0}, "2.7": {2, 7}, "10.100": {10, 100},
	} {
		got, err := ParseCursor(text)
		if err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
		if got.Start() != (want.Seq == 0) {
			t.Errorf("%q: start %v", text, got.Start())
		}
		if got.String() != text {
			t.Errorf("%q: written as %q", text, got.String())
		}
	}
	for _, text := range []string{
		"", " ", "-1", "+1", "01", "1 ", " 1", "1.", ".1", "1.5", "0.5", "02.5", "2.05", "2.5.1", "2,5", "0x1", "1e3", "１",
		"9007199254740992", "9007199254740992.1", "99999999999999999999", "NaN", "1\n",
	} {
		got, err := ParseCursor(text)
		var ce *CursorError
		if !errors.As(err, &ce) || ce.Text != text {
			t.Errorf("%q: got %v, %v, want a *CursorError", text, got, err)
		}
	}
}

func TestCursorRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Cursor{rapid.Uint64Range(1, MaxSeq).Draw(t, "epoch"), rapid.Uint64Range(0, MaxSeq).Draw(t, "seq")}
		got, err := ParseCursor(c.String())
		if err != nil || got != c {
			t.Fatalf("%v: got %v, %v", c, got, err)
		}
	})
}

func TestValidSessionID(t *testing.T) {
	if id := "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"; !ValidSessionID(id) {
		t.Errorf("%s: refused", id)
	}
	for _, id := range []string{
		"", "s1", "0198C5A2-7D1E-7C3F-9A51-6F2B8D4E1C0A", "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0", "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0ab",
		"{198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0}", "0198c5a2a7d1e-7c3f-9a51-6f2b8d4e1c0a", "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0g",
		"../../../../../../../../../etc/passw", "0198c5a27d1e7c3f9a516f2b8d4e1c0a----", "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c\x000",
	} {
		if ValidSessionID(id) {
			t.Errorf("%q: accepted", id)
		}
	}
}

// Proves: C28
func TestIDs(t *testing.T) {
	for _, row := range []struct {
		incarnation, key uint32
		entry, request   string
	}{
		{1, 1, "e1", "r1"}, {1, 12, "e12", "r12"}, {2, 1, "e2.1", "r2.1"}, {math.MaxUint32, math.MaxUint32, "e4294967295.4294967295", "r4294967295.4294967295"},
	} {
		if got := EntryID(row.incarnation, row.key); got != row.entry {
			t.Errorf("entry: got %s, want %s", got, row.entry)
		}
		if got := RequestID(row.incarnation, row.key); got != row.request {
			t.Errorf("request: got %s, want %s", got, row.request)
		}
		if i, k, ok := ParseEntryID(row.entry); !ok || i != row.incarnation || k != row.key {
			t.Errorf("%s: got %d, %d, %v", row.entry, i, k, ok)
		}
		if i, k, ok := ParseRequestID(row.request); !ok || i != row.incarnation || k != row.key {
			t.Errorf("%s: got %d, %d, %v", row.request, i, k, ok)
		}
	}
	for _, id := range []string{"", "e", "1", "r1", "e0", "e01", "e1.2", "e0.1", "e2.0", "e2.", "e.2", "e2.1.1", "e-1", "e4294967296", "d5", "E1"} {
		if _, _, ok := ParseEntryID(id); ok {
			t.Errorf("%q: accepted as an entry id", id)
		}
	}
	if got := TurnID(3) + " " + PromptID(4) + " " + DaemonEntryID(5); got != "t3 p4 d5" {
		t.Errorf("got %s", got)
	}
}
