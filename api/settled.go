package api

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// writeSettled writes the events since < seq <= head without the deltas of entries that have ended by then: what such a
// delta said is in its entry's end. Two passes over the same lines, so that memory grows with the open entries of one
// moment and the ended ones' ids only.
func writeSettled(w io.Writer, log store.Log, since, head uint64) error {
	ended := map[string]struct{}{}
	err := eachLine(log, since, head, func(line []byte) error {
		if t, id := lineHead(line); t == protocol.TypeEntryEnd {
			ended[string(id)] = struct{}{}
		}
		return nil
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 32<<10)
	err = eachLine(log, since, head, func(line []byte) error {
		if t, id := lineHead(line); t == protocol.TypeEntryDelta {
			if _, gone := ended[string(id)]; gone {
				return nil
			}
		}
		if _, err := out.Write(line); err != nil {
			return err
		}
		return out.WriteByte('\n')
	})
	return errors.Join(err, out.Flush()) // whole lines, also before an error
}

func eachLine(log store.Log, since, head uint64, f func(line []byte) error) error {
	lines, err := store.LinesOf(log, since, head)
	if err != nil {
		return err
	}
	defer lines.Close()
	for lines.Next() {
		if err := f(lines.Line()); err != nil {
			return err
		}
	}
	return lines.Err()
}

// lineHead reads the type of a line and the id of its entry. The codec writes members in one order, so that both stand at
// known places; a line that looks otherwise, from another build, is decoded.
func lineHead(line []byte) (protocol.Type, []byte) {
	_, rest, ok := bytes.Cut(line[:min(len(line), 80)], []byte(`,"type":"`))
	t, _, closed := bytes.Cut(rest, []byte(`"`))
	if !ok || !closed || !bytes.HasPrefix(line, []byte(`{"seq":`)) {
		return decodedHead(line)
	}
	switch kind := protocol.Type(t); kind {
	case protocol.TypeEntryDelta:
		after := line[bytes.IndexByte(line, ':'):] // behind "seq": in order: ts, type, entryId
		at := bytes.Index(after[:min(len(after), 160)], []byte(`"type":"entry_delta","entryId":"`))
		if at < 0 {
			return decodedHead(line)
		}
		id := after[at+len(`"type":"entry_delta","entryId":"`):]
		end := bytes.IndexAny(id[:min(len(id), 64)], `"\`)
		if end < 0 || id[end] != '"' {
			return decodedHead(line)
		}
		return kind, id[:end]
	case protocol.TypeEntryEnd:
		return decodedHead(line) // few, and their entryId follows an optional member
	default:
		return kind, nil
	}
}

func decodedHead(line []byte) (protocol.Type, []byte) {
	e, err := protocol.Decode(line)
	if err != nil {
		return "", nil // the journal keeps it, and so do we
	}
	switch p := e.Payload.(type) {
	case *protocol.EntryDelta:
		return p.Type(), []byte(p.EntryID)
	case *protocol.EntryEnd:
		return p.Type(), []byte(p.EntryID)
	default:
		return p.Type(), nil
	}
}
