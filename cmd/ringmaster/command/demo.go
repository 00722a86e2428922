package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func (p *Program) demo() *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "See a session work, with nothing installed",
		Long: `See a session work, with nothing installed: a daemon in a temporary folder, a scripted agent that speaks the protocol of
a real one, its log live on this terminal, and a check that the stream and the stored log are the same bytes. It takes about
a quarter of a minute, needs no network, and leaves nothing behind.`,
		Args: args(0, 0),
		Example: `  ringmaster demo
  ringmaster demo --keep      keep the daemon, to try the curl lines`,
		Annotations: map[string]string{ownSignals: ""},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.runDemo(cmd.Context(), keep)
		},
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "keep the daemon until Ctrl-C")
	return cmd
}

func (p *Program) runDemo(ctx context.Context, keep bool) (err error) {
	tmp, err := os.MkdirTemp("", "ringmaster-demo-")
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	if tmp, err = filepath.EvalSymlinks(tmp); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	folder, work := datafolder.Folder{Path: filepath.Join(tmp, "data")}, filepath.Join(tmp, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	cfg := p.temporary(folder, work)
	cfg.Agents = daemon.DemoAgents(folder, buildVersion())
	d, err := daemon.Start(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.drain(ctx, d)) }()
	c, err := client.Find(client.Place{Folder: folder})
	if err != nil {
		return err
	}
	defer c.Close()
	_, tty := terminalOf(p.Out)
	show := demonstration{
		Program: p, client: c, folder: folder, base: d.Address().HTTP, work: work,
		style: terminal.Style{Colour: tty && coloured()},
	}
	if err := show.play(ctx); err != nil {
		return err
	}
	if keep {
		show.line("The daemon stays until Ctrl-C. Its data folder: " + folder.Path)
		select {
		case <-p.Signals:
		case <-ctx.Done():
		}
	}
	return nil
}

const demoPrompt = "The parser's test fails. Find out why and mend it."

// thinkTime is how long a person would look at a request before allowing it.
const thinkTime = 1500 * time.Millisecond

// demonstration is one run of the demo.
type demonstration struct {
	*Program
	client *client.Client
	folder datafolder.Folder
	base   string
	work   string
	style  terminal.Style
	id     string
	lines  []byte // everything that the stream sent
	events int
	turns  int
	tools  int
	deltas int
}

func (d *demonstration) line(text string) { _, _ = fmt.Fprintln(d.Out, text) }

func (d *demonstration) play(ctx context.Context) (err error) {
	began := time.Now()
	s, _, err := d.client.Create(ctx, client.New{
		Agent: scripted.Name, Cwd: d.work, Title: "demo", Prompt: &client.Prompt{Text: demoPrompt},
	})
	if err != nil {
		return err
	}
	d.id = s.ID
	auth := `-H "Authorization: Bearer $(cat ` + d.folder.TokenFile() + `)"`
	d.line(d.style.Bold("A daemon runs in a temporary folder, and a session of the scripted agent in it."))
	d.line("Every event of the session is one numbered line of its log. Others can read the same log now:")
	d.line(d.style.Dim("  curl -N " + auth + " " + d.base + "/sessions/" + d.id + "/stream"))
	d.line(d.style.Dim("  curl " + auth + " " + d.base + "/sessions/" + d.id + "/log"))
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
	var o outcome
	err = d.follow(ctx, following{
		client: d.client, id: d.id, screen: d.screen(screenOptions{form: formHuman, session: shortID(d.id)}),
		until: func(l *client.Line) bool {
			d.count(l)
			if r, ok := l.Event.Payload.(*protocol.RequestOpened); ok {
				asked <- r.RequestID
			}
			return o.line(l)
		},
		signalled: func(context.Context, int) error { return errStopped },
	})
	if err != nil {
		return err
	}
	if err := o.result(); err != nil {
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
		if _, err := d.client.Answer(ctx, d.id, request, answer); err != nil && ctx.Err() == nil {
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
	l, err := d.client.Log(ctx, d.id, client.LogQuery{})
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }()
	stored, err := io.ReadAll(io.LimitReader(l, maxDemoLog))
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
	return nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// maxDemoLog bounds what the demo reads back, in bytes.
const maxDemoLog = 16 << 20

// temporary configures a daemon that serves one command. Its log would be in the way.
func (p *Program) temporary(folder datafolder.Folder, root string) daemon.Config {
	return daemon.Config{
		Folder: folder, Roots: []string{root}, Listen: daemon.Listen{Address: "127.0.0.1:0"},
		Agents: daemon.Agents(folder, buildVersion()), Env: os.Environ(), Version: buildVersion(), Log: zap.NewNop(), Adopt: p.Adopt,
	}
}
