// Package console is what a command is given by the process that runs it, its streams, its clock and its signals, and how it prints: in columns
// and as JSON, with what agents and users wrote made harmless.
package console

import (
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// Console is what one run of the command line has of its process.
type Console struct {
	In      io.Reader
	Out     io.Writer
	Err     io.Writer
	Now     func() time.Time
	Signals *Signals
	Version string // of this program
	// Adopt has orphans of agents come to this process, which must begin no others then.
	Adopt bool
}

// Say tells the person at the terminal something that is not the command's output.
func (c *Console) Say(text string) {
	_, _ = c.Err.Write([]byte("ringmaster: " + text + "\n"))
}

// Style is how the output is coloured.
func (c *Console) Style() terminal.Style {
	_, tty := Terminal(c.Out)
	return terminal.Style{Colour: tty && coloured()}
}

// Terminal says whether a writer is a terminal, and how wide.
func Terminal(w io.Writer) (columns int, is bool) {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 {
		columns = 80
	}
	return columns, true
}

// coloured says whether colours are wanted on a terminal: https://no-color.org.
func coloured() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }
