package reading

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// EachLine goes through the events since < seq <= head.
func EachLine(log store.Log, since, head uint64, f func(line []byte) error) error {
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

// LineType reads the type of a line, without decoding one that the codec has written.
func LineType(line []byte) protocol.Type {
	_, rest, ok := bytes.Cut(line[:min(len(line), 80)], []byte(`,"type":"`))
	t, _, closed := bytes.Cut(rest, []byte(`"`))
	if ok && closed && bytes.HasPrefix(line, []byte(`{"seq":`)) {
		return protocol.Type(t)
	}
	kind, _ := decodedHead(line)
	return kind
}

// LineHead reads the type of a line and the id of its entry. The codec writes members in one order, so that both stand at
// known places; a line that looks otherwise, from another build, is decoded.
func LineHead(line []byte) (protocol.Type, []byte) {
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
