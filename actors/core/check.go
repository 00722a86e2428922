package core

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Check says what is wrong with a batch whatever the position; "": nothing. Core checks what would make a log unreadable, and looks into no line.
func (b *Batch) Check() string {
	lines := uint64(0)
	for _, m := range b.Sources {
		if m.Count <= 0 {
			return "a source without lines"
		}
		lines += uint64(m.Count)
	}
	switch {
	case !protocol.ValidSessionID(b.Session):
		return noUUID
	case lines == 0:
		return "no lines"
	case b.First == 0, b.First > protocol.MaxSeq, lines > protocol.MaxSeq-b.First+1, b.Epoch == 0, b.Epoch > protocol.MaxSeq:
		return "numbers that no log has"
	case !bytes.HasSuffix(b.Lines, []byte{'\n'}), uint64(bytes.Count(b.Lines, []byte{'\n'})) != lines:
		return "the number of lines is not that of its sources"
	}
	return ""
}

// Check says what is wrong with a cut whatever the position; "": nothing.
func (c *Cut) Check() string {
	switch {
	case !protocol.ValidSessionID(c.Session):
		return noUUID
	case c.First == 0, c.First > protocol.MaxSeq, c.Epoch == 0, c.Epoch > protocol.MaxSeq:
		return "numbers that no log has"
	}
	return ""
}

const noUUID = "the session's id is no UUID"

// Again is the problem of a batch that follows another one of its session in one call.
const Again = "a second batch of a session in one call"
