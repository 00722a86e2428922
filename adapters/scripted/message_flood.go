package scripted

import (
	"bytes"
	"strings"
)

const floodMessage = 10_000 // deltas of one message of a flood

// flood streams deltas as fast as they are taken, from lines made beforehand. Every message of it has a bounded length.
func (t *talk) flood(s Flood) error {
	size := s.Size
	if size == 0 {
		size = 8
	}
	delta := strings.Repeat("flooding ", size/9+1)[:size]
	for left := s.Lines; s.Lines == 0 || left > 0; left -= floodMessage {
		if s.Lines == 0 {
			left = floodMessage
		}
		t.endMessage("stop")
		if err := t.floodOne(int(min(left, floodMessage)), delta); err != nil {
			return err
		}
	}
	return nil
}

// floodOne streams one message of a flood.
func (t *talk) floodOne(deltas int, delta string) error {
	b, i := t.beginBlock("text", toolCallBlock{})
	t.open.flood = true
	line := append(encode(messageUpdate{Type: "message_update", Event: blockUpdate{Type: "text_delta", ContentIndex: i, Delta: &delta}}), '\n')
	batch := max(1, blockSize/len(line))
	lines := bytes.Repeat(line, batch)
	for sent := 0; sent < deltas; {
		n := min(batch, deltas-sent)
		t.out.write(lines[:n*len(line)])
		b.text.WriteString(strings.Repeat(delta, n))
		sent += n
		if err := t.in.poll(); err != nil {
			return err
		}
	}
	return nil
}
