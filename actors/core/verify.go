package core

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Verdict is how a log and what Core has of it compare.
type Verdict struct {
	Known   bool   // Core has the session
	Behind  uint64 // events of the log that Core does not have yet
	Events  uint64 // that were compared
	Bytes   int64  // of their lines
	Differs string // where they are not the same, for people; "": they are
}

// Verify compares each line that Core has of a log with the log's. What the log has dropped is not compared. The log is looked at behind Core, which has
// nothing that a journal does not have before; it may grow meanwhile. An error is one of Core's, or of reading the log.
func Verify(ctx context.Context, c Reader, id string, look func() (store.Log, error)) (v Verdict, err error) {
	p, _, known, err := c.Session(ctx, id)
	if err != nil {
		return v, err
	}
	log, err := look()
	if err != nil {
		return Verdict{Known: known}, err
	}
	oldest, newest := log.Bounds()
	if !known {
		return Verdict{Behind: newest}, nil
	}
	v.Known = true
	if newest > p.Head {
		v.Behind = newest - p.Head
	}
	since := max(oldest, p.Oldest) - 1
	if since >= p.Head {
		return v, nil
	}
	if p.Head > newest {
		v.Differs = fmt.Sprintf("Core has events up to %d, and the journal up to %d", p.Head, newest)
		return v, nil
	}
	ours, err := log.Range(since, p.Head)
	if err != nil {
		return v, err
	}
	defer ours.Close()
	var mine []byte
	for theirs, err := range c.Stretches(ctx, id, since, p.Head) {
		if err != nil {
			return v, err
		}
		if mine = mine[:0]; cap(mine) < len(theirs.Lines) {
			mine = make([]byte, 0, len(theirs.Lines))
		}
		mine = mine[:len(theirs.Lines)]
		if n, err := io.ReadFull(ours, mine); errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			mine = mine[:n]
		} else if err != nil {
			return v, err
		}
		if !bytes.Equal(mine, theirs.Lines) {
			v.Differs = fmt.Sprintf("event %d is another one in Core than in the journal", theirs.First+uint64(same(mine, theirs.Lines)))
			return v, nil
		}
		v.Events += uint64(theirs.Count())
		v.Bytes += int64(len(mine))
	}
	return v, nil
}

// same is how many lines two texts begin with that are the same.
func same(a, b []byte) (lines int) {
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '\n' {
			lines++
		}
	}
	return lines
}
