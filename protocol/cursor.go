package protocol

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxSeq bounds every number on the wire: the largest integer that each client language holds exactly.
const MaxSeq = 1<<53 - 1

// Cursor is a position in a session's log: everything up to and including Seq was read, in the log of that epoch
// (spec §2.2). Seq 0 is the position before the first event.
type Cursor struct {
	Epoch uint64 // from 1
	Seq   uint64
}

// String is the cursor's text: the bare number in epoch 1, "epoch.seq" later.
func (c Cursor) String() string { return string(c.Append(nil)) }

// Append writes the cursor's text after b.
func (c Cursor) Append(b []byte) []byte {
	if c.Epoch > 1 {
		b = strconv.AppendUint(b, c.Epoch, 10)
		b = append(b, '.')
	}
	return strconv.AppendUint(b, c.Seq, 10)
}

// Start says that nothing was read yet. Such a cursor is good in every epoch.
func (c Cursor) Start() bool { return c.Seq == 0 }

// After says that c is behind d in the session's life: of a later epoch, or further in the same one.
func (c Cursor) After(d Cursor) bool { return c.Epoch > d.Epoch || c.Epoch == d.Epoch && c.Seq > d.Seq }

// CursorError says that a text is no cursor. Servers answer it with the problem invalid_request.
type CursorError struct {
	Text    string // as given, at most 64 bytes of it
	Problem string
}

func (e *CursorError) Error() string { return fmt.Sprintf("cursor %q: %s", e.Text, e.Problem) }

// ParseCursor reads the text of a cursor. One cursor has one text: no signs, no leading zeros, no "1." before the number
// of epoch 1. The error is a *CursorError.
func ParseCursor(text string) (Cursor, error) {
	fail := func(problem string) (Cursor, error) {
		return Cursor{}, &CursorError{Text: text[:min(len(text), 64)], Problem: problem}
	}
	epochText, seqText, later := strings.Cut(text, ".")
	if !later {
		epochText, seqText = "1", text
	}
	epoch, ok := decimal(epochText, MaxSeq)
	if !ok || epoch == 0 {
		return fail("want SEQ or EPOCH.SEQ")
	}
	if later && epoch == 1 {
		return fail("in epoch 1 the cursor is the bare number")
	}
	seq, ok := decimal(seqText, MaxSeq)
	if !ok {
		return fail("want SEQ or EPOCH.SEQ")
	}
	return Cursor{epoch, seq}, nil
}

// decimal reads a number as strconv would write it, and no other way.
func decimal(s string, limit uint64) (uint64, bool) {
	if s == "" || len(s) > 1 && s[0] == '0' {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	n, err := strconv.ParseUint(s, 10, 64)
	return n, err == nil && n <= limit
}
