package connection_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/connection"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// plain is an agent with a process per session.
type plain struct{}

func (plain) Name() string                                 { return "plain" }
func (plain) Capabilities() adapters.Capabilities          { return adapters.Capabilities{} }
func (plain) Find(context.Context) adapters.Installation   { return adapters.Installation{} }
func (plain) Translator(adapters.Spec) adapters.Translator { return nil }
func (plain) Launch(s adapters.Spec) adapters.Launch {
	return adapters.Launch{Path: "plain", Env: s.Env}
}

// hub is an agent whose connections carry sessions. Its lines are "NAME text"; "NAME +CHILD" begins a sub-agent of NAME,
// whose name is CHILD, "NAME ." ends it, "boom" makes the splitter panic. Sessions are named by their SessionID, and share
// the connection that is named by their Model.
type hub struct{ plain }

func (hub) Name() string                      { return "hub" }
func (hub) Connection(s adapters.Spec) string { return s.Model }
func (hub) Splitter(adapters.Spec) adapters.Splitter {
	return &splitter{lanes: map[string]adapters.Lane{}, names: map[adapters.Lane]string{}}
}

type splitter struct {
	newest adapters.Lane
	lanes  map[string]adapters.Lane
	names  map[adapters.Lane]string
}

func (s *splitter) Start(out *adapters.Split) { out.Line([]byte("hello")) }

func (s *splitter) add(name string) adapters.Lane {
	s.newest++
	s.lanes[name], s.names[s.newest] = s.newest, name
	return s.newest
}

func (s *splitter) Join(spec adapters.Spec, out *adapters.Split) adapters.Lane {
	out.Line([]byte(spec.SessionID + " joins"))
	return s.add(spec.SessionID)
}

func (s *splitter) Line(line []byte, out *adapters.Split) {
	name, text, _ := strings.Cut(string(line), " ")
	lane := s.lanes[name]
	switch {
	case name == "boom":
		panic("boom")
	case strings.HasPrefix(text, "+"):
		out.Born(s.add(text[1:]), adapters.Birth{Parent: lane, NativeID: text[1:]})
	case text == ".":
		out.Over(lane)
	default:
		out.To(lane, bytes.TrimPrefix(line[len(name):], []byte(" ")))
	}
}

func (s *splitter) Say(lane adapters.Lane, line []byte, out *adapters.Split) {
	out.Line(append([]byte(s.names[lane]+" "), line...))
}

func (s *splitter) Sent([]byte, *adapters.Split) {}

func (s *splitter) Leave(lane adapters.Lane, out *adapters.Split) {
	out.Line([]byte(s.names[lane] + " leaves"))
}

// machine starts processes.
type machine struct {
	mu      sync.Mutex
	started []*process
	gate    chan struct{} // not nil: starts wait for it
	failure error
	deaf    bool // processes read nothing
	dead    bool // processes have ended with code 9 as soon as they are there
}

func (m *machine) Start(ctx context.Context, launch adapters.Launch) (adapters.Conn, error) {
	if m.gate != nil {
		select {
		case <-m.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	p := newProcess(launch, !m.deaf)
	m.started = append(m.started, p)
	if m.failure != nil {
		p.Stop(0)
		return nil, m.failure
	}
	if m.dead {
		p.end(adapters.Exit{Code: 9})
	}
	return p, nil
}

func (m *machine) starts() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.started)
}

// process is an agent that a test speaks for. It ends when its input does.
type process struct {
	launch  adapters.Launch
	in, out struct {
		r *io.PipeReader
		w *io.PipeWriter
	}
	done chan struct{}

	mu        sync.Mutex
	heard     []string
	requested bool
	over      bool
	exit      adapters.Exit
	killed    []time.Duration // grace of each Stop
	orphans   []time.Duration // the turns of which they were ended
	stubborn  time.Duration   // how long it takes to end after its input has
}

func newProcess(launch adapters.Launch, reads bool) *process {
	p := &process{launch: launch, done: make(chan struct{})}
	p.in.r, p.in.w = io.Pipe()
	p.out.r, p.out.w = io.Pipe()
	if reads {
		go p.listen()
	}
	return p
}

func (p *process) listen() {
	lines := bufio.NewScanner(p.in.r)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		p.mu.Lock()
		p.heard = append(p.heard, lines.Text())
		p.mu.Unlock()
	}
	p.mu.Lock()
	wait := p.stubborn
	p.mu.Unlock()
	time.Sleep(wait) // virtual: how long this process takes to end
	p.end(adapters.Exit{})
}

// say speaks for the agent; it blocks as long as nobody reads.
func (p *process) say(lines ...string) {
	for _, l := range lines {
		_, _ = io.WriteString(p.out.w, l+"\n")
	}
}

func (p *process) lines() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.heard, "\n")
}

func (p *process) end(exit adapters.Exit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	p.over, p.exit = true, exit
	p.exit.Requested = p.requested
	_ = p.out.w.Close()
	_ = p.in.r.CloseWithError(io.ErrClosedPipe)
	close(p.done)
}

func (p *process) Output() io.Reader     { return p.out.r }
func (p *process) Input() io.WriteCloser { return p.in.w }
func (p *process) Process() (adapters.Process, bool) {
	return adapters.Process{PID: 7, Marker: "m"}, true
}
func (p *process) Wait() adapters.Exit { <-p.done; return p.exit }

func (p *process) Stop(grace time.Duration) {
	p.mu.Lock()
	p.requested = true
	p.killed = append(p.killed, grace)
	p.mu.Unlock()
	if grace <= 0 { // before its input ends, by which it would end by itself
		p.end(adapters.Exit{Code: -1, Signal: "killed"})
		_ = p.in.w.Close()
		return
	}
	_ = p.in.w.Close()
	timer := time.AfterFunc(grace, func() { p.end(adapters.Exit{Code: -1, Signal: "killed"}) })
	go func() {
		<-p.done
		timer.Stop()
	}()
}

func (p *process) EndOrphans(since, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.orphans = append(p.orphans, until.Sub(since))
}

// bench is a pool with its machine.
type bench struct {
	*testing.T
	machine *machine
	pool    *connection.Pool
}

// run runs a test in a bubble with virtual time.
func run(t *testing.T, cfg connection.Config, test func(b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		cfg.Marker = "instance/connection"
		test(&bench{T: t, machine: &machine{}, pool: connection.New(cfg)})
	})
}

// open opens a session on the connection that the test names.
func (b *bench) open(session, name string) *conn {
	b.Helper()
	c, err := b.pool.Open(b.Context(), hub{}, adapters.Spec{
		SessionID: session, Model: name, Env: []string{"A=1", adapters.MarkerEnv + "=instance/" + session + "/1"},
	}, b.machine)
	if err != nil {
		b.Fatal(err)
	}
	return read(c)
}

// conn is a session's connection with somebody who reads it.
type conn struct {
	adapters.Conn
	mu   sync.Mutex
	text []string
	over bool
	exit adapters.Exit
}

func read(c adapters.Conn) *conn {
	r := &conn{Conn: c}
	go func() {
		lines := bufio.NewScanner(c.Output())
		for lines.Scan() {
			r.mu.Lock()
			r.text = append(r.text, lines.Text())
			r.mu.Unlock()
		}
		exit := c.Wait()
		r.mu.Lock()
		r.over, r.exit = true, exit
		r.mu.Unlock()
	}()
	return r
}

func (c *conn) say(text string) error {
	_, err := io.WriteString(c.Input(), text+"\n")
	return err
}

// is compares what a session has heard so far, and how it ended; "" while it has not.
func (b *bench) is(c *conn, text, end string) {
	b.Helper()
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	got := ""
	if c.over {
		got = describe(c.exit)
	}
	if heard := strings.Join(c.text, "|"); heard != text || got != end {
		b.Errorf("heard %q, end %q; want %q, %q", heard, got, text, end)
	}
}

func describe(x adapters.Exit) string {
	how := "ended"
	switch {
	case x.Error != "":
		how = x.Error
	case x.Signal != "":
		how = x.Signal
	case x.Code != 0:
		how = fmt.Sprint("code ", x.Code)
	}
	if x.Requested {
		how += ", requested"
	}
	return how
}

func (b *bench) child(of *conn, native string) (*conn, bool) {
	b.Helper()
	parent, ok := of.Conn.(adapters.Parent)
	if !ok {
		b.Fatal("no parent")
	}
	c, ok := parent.Child(native)
	if !ok {
		return nil, false
	}
	return read(c), true
}

var errNoProgram = errors.New("no program")
