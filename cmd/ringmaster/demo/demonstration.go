package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/follow"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

const prompt = "The parser's test fails. Find out why and mend it."

// thinkTime is how long a person would look at a request before allowing it.
const thinkTime = 1500 * time.Millisecond

// demonstration is one run of the demo.
type demonstration struct {
	con     *console.Console
	client  *client.Client
	folder  datafolder.Folder
	base    string
	work    string
	style   terminal.Style
	session client.Session
	lines   []byte // everything that the stream sent
	events  int
	turns   int
	tools   int
	deltas  int
}

func (d *demonstration) line(text string) { _, _ = fmt.Fprintln(d.con.Out, text) }

func (d *demonstration) play(ctx context.Context) (err error) {
	began := time.Now()
	s, err := d.client.Create(ctx, client.New{NewSession: resource.NewSession{
		Agent: scripted.Name, Cwd: d.work, Title: "demo", Prompt: &resource.FirstPrompt{NewPrompt: resource.NewPrompt{Text: prompt}},
	}})
	if err != nil {
		return err
	}
	d.session = d.client.Session(s.ID)
	auth := `-H "Authorization: Bearer $(cat ` + d.folder.TokenFile() + `)"`
	d.line(d.style.Bold("A daemon runs in a temporary folder, and a session of the scripted agent in it."))
	d.line("Every event of the session is one numbered line of its log. Others can read the same log now:")
	d.line(d.style.Dim("  curl -N " + auth + " " + d.base + "/sessions/" + s.ID + "/stream"))
	d.line(d.style.Dim("  curl " + auth + " " + d.base + "/sessions/" + s.ID + "/log"))
	d.line("This is it, as `ringmaster tail` shows it:")
	d.line("")
	ctx, stop := context.WithCancel(ctx)
	asked := make(chan string, 8)
	allowed := make(chan error, 1)
	go func() { allowed <- d.allow(ctx, asked) }()
	defer func() {
		stop()
		err = errors.Join(err, <-allowed)
	}()
	var o follow.Outcome
	shown := follow.Following{
		Session: d.session, Show: follow.Options{Form: follow.Human, Session: console.ShortID(s.ID)},
		Until: func(l *client.Line) bool {
			d.count(l)
			if r, ok := l.Event.Payload.(*protocol.RequestOpened); ok {
				asked <- r.RequestID
			}
			return o.Line(l)
		},
		Signalled: func(context.Context, int) error { return exit.ErrStopped },
	}
	if err := shown.Run(ctx, d.con); err != nil {
		return err
	}
	if err := o.Result(); err != nil {
		return err
	}
	return d.verify(ctx, time.Since(began))
}

// allow allows what the agent asks for, as a person would who reads along, until ctx is done.
func (d *demonstration) allow(ctx context.Context, asked <-chan string) error {
	for {
		var request string
		select {
		case request = <-asked:
		case <-ctx.Done():
			return nil
		}
		t := time.NewTimer(thinkTime)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return nil
		}
		answer := resource.RequestAnswer{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce}
		if _, err := d.session.Answer(ctx, request, answer); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// count keeps what the stream sent. Follow has refused every gap and every repetition.
func (d *demonstration) count(l *client.Line) {
	d.lines = append(append(d.lines, l.Raw...), '\n')
	d.events++
	switch p := l.Event.Payload.(type) {
	case *protocol.TurnEnd:
		d.turns++
	case *protocol.EntryDelta:
		d.deltas++
	case *protocol.EntryEnd:
		if p.EntryType == protocol.EntryToolCall {
			d.tools++
		}
	default:
	}
}

// verify reads the stored log and compares it with what the stream sent.
func (d *demonstration) verify(ctx context.Context, took time.Duration) error {
	l, err := d.session.OpenLog(ctx, client.LogQuery{})
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }()
	stored, err := io.ReadAll(io.LimitReader(l, maxLog))
	if err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	if !bytes.HasPrefix(stored, d.lines) {
		return fmt.Errorf("the stored log and the stream differ: %d and %d bytes", len(stored), len(d.lines))
	}
	d.line("")
	d.line(d.style.Good("✓ ") + fmt.Sprintf("%s, numbered without a gap: %s, %s, %s in %.1f s",
		count(d.events, "event"), count(d.turns, "turn"), count(d.tools, "tool call"), count(d.deltas, "delta"), took.Seconds()))
	d.line(d.style.Good("✓ ") + fmt.Sprintf("the stream and the stored log are the same %d bytes", len(d.lines)))
	d.line("")
	d.line("Next, in a folder of yours: ringmaster run --agent claude \"…\" (in a clone, first: go install ./cmd/ringmaster); " +
		"ringmaster doctor says what is missing.")
	d.line("Four sessions at once in the page, one of which asks you: ringmaster demo --web (in a clone: go run ./cmd/ringmaster demo --web).")
	return nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// maxLog bounds what the demo reads back, in bytes.
const maxLog = 16 << 20
