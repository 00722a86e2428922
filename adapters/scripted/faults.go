package scripted

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

const (
	blockSize    = 64 << 10 // bytes of one write: a full pipe
	floodMessage = 10_000   // deltas of one message of a flood
)

// die ends the agent as it is, without a word to anybody.
func (a *agent) die(d Die) error {
	if d.Half {
		a.write([]byte(`{"type":"message_update","usage":{"inp`))
	}
	return &exitError{exit: Exit{Code: d.Code, Signal: signals[d.Signal]}}
}

// giant says one long line. It takes no command meanwhile: the answer would stand in the middle of the line.
func (a *agent) giant(g Giant) error {
	piece := bytes.Repeat([]byte{'x'}, blockSize)
	for left := g.Bytes; left > 0; left -= blockSize {
		a.write(piece[:min(left, blockSize)])
	}
	if !g.NoEnd {
		a.write([]byte("\n"))
	}
	return a.poll()
}

// garbage says random bytes: invalid UTF-8, control characters, newlines.
func (a *agent) garbage(g Garbage) error {
	random := rand.New(rand.NewPCG(g.Seed, g.Seed))
	piece := make([]byte, blockSize)
	for left := g.Bytes; left > 0; left -= blockSize {
		piece = piece[:min(left, blockSize)]
		for i := range piece {
			piece[i] = byte(random.Uint32())
		}
		a.write(piece)
		if err := a.poll(); err != nil {
			return err
		}
	}
	a.write([]byte("\n"))
	return nil
}

// flood streams deltas as fast as they are taken, from lines made beforehand. Every message of it has a bounded length.
func (a *agent) flood(f Flood) error {
	size := f.Size
	if size == 0 {
		size = 8
	}
	delta := strings.Repeat("flooding ", size/9+1)[:size]
	for left := f.Lines; f.Lines == 0 || left > 0; left -= floodMessage {
		if f.Lines == 0 {
			left = floodMessage
		}
		a.endMessage("stop")
		if err := a.floodOne(int(min(left, floodMessage)), delta); err != nil {
			return err
		}
	}
	return nil
}

// floodOne streams one message of a flood.
func (a *agent) floodOne(deltas int, delta string) error {
	b, i := a.beginBlock("text", toolCallBlock{})
	a.run.open.flood = true
	line := append(encode(messageUpdate{Type: "message_update", Event: blockUpdate{Type: "text_delta", ContentIndex: i, Delta: &delta}}), '\n')
	batch := max(1, blockSize/len(line))
	lines := bytes.Repeat(line, batch)
	for sent := 0; sent < deltas; {
		n := min(batch, deltas-sent)
		a.write(lines[:n*len(line)])
		b.text.WriteString(strings.Repeat(delta, n))
		sent += n
		if err := a.poll(); err != nil {
			return err
		}
	}
	return nil
}

// startStray starts a process that outlives the agent.
func (a *agent) startStray(s Spawn) {
	if a.spawn == nil {
		fmt.Fprintln(a.stderr, "spawn: there are no processes here")
		return
	}
	if err := a.spawn(s); err != nil {
		fmt.Fprintln(a.stderr, "spawn:", err)
	}
}
