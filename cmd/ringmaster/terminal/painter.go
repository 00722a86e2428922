package terminal

import (
	"io"
	"strconv"
	"strings"
)

// Painter puts lines on a terminal: final ones scroll up, live ones are redrawn in place below them. It assumes that no
// live line takes more than one row. It is not safe for concurrent use.
type Painter struct {
	w    io.Writer
	live int // rows of live lines on the terminal
	last string
}

// NewPainter paints on w, one write per call.
func NewPainter(w io.Writer) *Painter { return &Painter{w: w} }

// Paint writes final lines and replaces the live ones. The error is that of the writer.
func (p *Painter) Paint(final, live []string) error {
	lines := strings.Join(live, "\n")
	if len(final) == 0 && lines == p.last {
		return nil
	}
	var b strings.Builder
	if p.live > 0 {
		b.WriteByte('\r')
		if p.live > 1 {
			b.WriteString("\x1b[" + strconv.Itoa(p.live-1) + "A")
		}
		b.WriteString("\x1b[J")
	}
	for _, l := range final {
		b.WriteString(l)
		b.WriteByte('\n')
	}
	b.WriteString(lines)
	p.live, p.last = len(live), lines
	_, err := io.WriteString(p.w, b.String())
	return err
}

// Done removes the live lines; the cursor is at the start of a line afterwards.
func (p *Painter) Done() error { return p.Paint(nil, nil) }
