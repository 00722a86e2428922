package stream

import (
	"bufio"
	"errors"
	"io"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// writeSettled writes the events since < seq <= head without the deltas of entries that have ended by then: what such a
// delta said is in its entry's end. Two passes over the same lines, so that memory grows with the open entries of one
// moment and the ended ones' ids only.
func writeSettled(w io.Writer, log store.Log, since, head uint64) error {
	ended := map[string]struct{}{}
	err := reading.EachLine(log, since, head, func(line []byte) error {
		if t, id := reading.LineHead(line); t == protocol.TypeEntryEnd {
			ended[string(id)] = struct{}{}
		}
		return nil
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 32<<10)
	err = reading.EachLine(log, since, head, func(line []byte) error {
		if t, id := reading.LineHead(line); t == protocol.TypeEntryDelta {
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
