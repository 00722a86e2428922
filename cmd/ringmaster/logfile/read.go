package logfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// SeekLast goes to where the last n lines of a file begin.
func SeekLast(file *os.File, n int) error {
	if n < 0 {
		return nil
	}
	at, err := file.Seek(0, io.SeekEnd)
	if err != nil || n == 0 {
		return err
	}
	block := make([]byte, 32<<10)
	for at > 0 {
		size := min(at, int64(len(block)))
		if _, err := file.ReadAt(block[:size], at-size); err != nil {
			return err
		}
		for i := size - 1; i >= 0; i-- {
			if block[i] != '\n' {
				continue
			}
			if n--; n < 0 {
				_, err := file.Seek(at-size+i+1, io.SeekStart)
				return err
			}
		}
		at -= size
	}
	_, err = file.Seek(0, io.SeekStart)
	return err
}

// Copy prints a log from where the file is, and what comes, also in the file that takes its place. It closes the file.
func Copy(ctx context.Context, out io.Writer, file *os.File, follow bool) error {
	defer func() { _ = file.Close() }()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	rest := &tail{in: bufio.NewReader(file)}
	for {
		if err := rest.copy(out); err != nil || !follow {
			return err
		}
		if next := successor(file); next != nil {
			err := rest.copy(out) // what came before the file was put aside
			_ = file.Close()
			if file, rest = next, (&tail{in: bufio.NewReader(next)}); err != nil {
				return err
			}
			continue
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil
		}
	}
}

const lookEvery = 200 * time.Millisecond // between two looks for new lines

// successor is the file that has a file's name now; nil: it is this one, or there is none.
func successor(file *os.File) *os.File {
	next, err := os.Open(file.Name())
	if err != nil {
		return nil
	}
	was, err := file.Stat()
	is, other := next.Stat()
	if err != nil || other != nil || os.SameFile(was, is) {
		_ = next.Close()
		return nil
	}
	return next
}

// tail is what comes at the end of a log: whole lines.
type tail struct {
	in   *bufio.Reader
	part string
}

// copy prints the lines that are there.
func (t *tail) copy(out io.Writer) error {
	for {
		text, err := t.in.ReadString('\n')
		t.part += text
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(out, terminal.Visible(strings.TrimSuffix(t.part, "\n"))); err != nil {
			return err
		}
		t.part = ""
	}
}
