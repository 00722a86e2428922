package session

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// copyLog copies the bytes as they are; to a terminal with what could steer it escaped, which is the same JSON.
func copyLog(w io.Writer, r io.Reader) error {
	_, tty := console.Terminal(w)
	if !tty {
		if _, err := io.Copy(w, r); err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
		return nil
	}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n') // the daemon bounds a line: protocol.MaxEvent
		if _, werr := io.WriteString(w, console.EscapeControls(line)); werr != nil {
			return werr
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
	}
}

// copyText copies a text of an agent's; to a terminal without what could steer it.
func copyText(w io.Writer, r io.Reader) error {
	_, tty := console.Terminal(w)
	var clean terminal.Cleaner
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		piece := string(buf[:n])
		if tty {
			piece = clean.Clean(piece)
		}
		if _, werr := io.WriteString(w, piece); werr != nil {
			return werr
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the text: %w", err)
		}
	}
}
