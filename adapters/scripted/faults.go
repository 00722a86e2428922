package scripted

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
)

const blockSize = 64 << 10 // bytes of one write: a full pipe

// faults do what no agent should.
type faults struct {
	out    *output
	in     *input
	stderr io.Writer
	spawn  func(Spawn) error // nil: there are no processes
}

// die ends the agent as it is, without a word to anybody.
func (f *faults) die(s Die) error {
	if s.Half {
		f.out.write([]byte(`{"type":"message_update","usage":{"inp`))
	}
	return &exitError{exit: Exit{Code: s.Code, Signal: signals[s.Signal]}}
}

// giant says one long line. It takes no command meanwhile: the answer would stand in the middle of the line.
func (f *faults) giant(s Giant) error {
	piece := bytes.Repeat([]byte{'x'}, blockSize)
	for left := s.Bytes; left > 0; left -= blockSize {
		f.out.write(piece[:min(left, blockSize)])
	}
	if !s.NoEnd {
		f.out.write([]byte("\n"))
	}
	return f.in.poll()
}

// garbage says random bytes: invalid UTF-8, control characters, newlines.
func (f *faults) garbage(s Garbage) error {
	random := rand.New(rand.NewPCG(s.Seed, s.Seed))
	piece := make([]byte, blockSize)
	for left := s.Bytes; left > 0; left -= blockSize {
		piece = piece[:min(left, blockSize)]
		for i := range piece {
			piece[i] = byte(random.Uint32())
		}
		f.out.write(piece)
		if err := f.in.poll(); err != nil {
			return err
		}
	}
	f.out.write([]byte("\n"))
	return nil
}

// complain writes to stderr.
func (f *faults) complain(text string, times int) {
	for range max(1, times) {
		fmt.Fprintln(f.stderr, text)
	}
}

// startStray starts a process that outlives the agent.
func (f *faults) startStray(s Spawn) {
	if f.spawn == nil {
		fmt.Fprintln(f.stderr, "spawn: there are no processes here")
		return
	}
	if err := f.spawn(s); err != nil {
		fmt.Fprintln(f.stderr, "spawn:", err)
	}
}
