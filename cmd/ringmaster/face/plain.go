package face

import (
	"bufio"
	"context"
	cryptorand "crypto/rand"
	"io"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/browser"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/link"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/plain"
)

// RunPlain talks by lines until somebody quits, there is no more input, the daemon refuses, or ctx is done. It needs no terminal.
func RunPlain(ctx context.Context, con *console.Console, c *client.Client, opt plain.Options) error {
	opt.Key = cryptorand.Text
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := link.New(ctx, c, link.Desktop{Folder: opt.Cwd, Show: browser.Open})
	defer l.Close()
	t := talk{con: con, link: l}
	state, wishes := plain.New(opt, con.Now())
	if err := t.do(nil, wishes); err != nil {
		return err
	}
	lines := make(chan string)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		read(ctx, con.Input(ctx), lines)
	}()
	defer func() { cancel(); <-ended }()
	for !t.over {
		select {
		case text, more := <-lines:
			if !more {
				return context.Cause(ctx)
			}
			if err := t.do(state.Line(text, con.Now())); err != nil {
				return err
			}
		case <-l.News():
			for _, n := range l.Take() {
				if err := t.do(state.News(n, con.Now())); err != nil {
					return err
				}
			}
		case err := <-l.Fatal():
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// maxLine bounds a line of the input, in bytes.
const maxLine = 1 << 20

// read hands on the lines of the input, until it ends or ctx is done.
func read(ctx context.Context, in io.Reader, lines chan<- string) {
	defer close(lines)
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, maxLine)
	for scanner.Scan() {
		select {
		case lines <- scanner.Text():
		case <-ctx.Done():
			return
		}
	}
}

// talk is the part of a conversation that has an output.
type talk struct {
	con  *console.Console
	link *link.Link
	over bool
}

// do prints lines, and carries out wishes.
func (t *talk) do(printed []string, wishes []desk.Wish) error {
	if len(printed) > 0 {
		if _, err := io.WriteString(t.con.Out, strings.Join(printed, "\n")+"\n"); err != nil {
			return err
		}
	}
	for _, w := range wishes {
		switch w.(type) {
		case desk.Ring:
			if _, is := console.Terminal(t.con.Out); is {
				if _, err := io.WriteString(t.con.Out, "\a"); err != nil {
					return err
				}
			}
		case desk.Quit:
			t.over = true
		default:
			t.link.Do(w)
		}
	}
	return nil
}
