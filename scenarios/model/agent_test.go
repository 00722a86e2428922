package model_test

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// start is how a session's next agent starts.
type start int

const (
	quick  start = iota // it takes prompts at once
	slow                // only when it is told to say so
	failed              // not at all
)

// started is one start of an agent.
type started struct {
	session string
	how     start
	resumed bool
	at      time.Time
}

// stage is the agent of all sessions of a sequence, over all its daemons: it says what the sequence wants, and notes what it is
// told. A line of it is the number of what it says, a list of drafts.
type stage struct {
	mu     sync.Mutex
	said   [][]adapters.Draft
	agents map[string]*agent // the newest one of each session
	next   map[string][]start
	starts []started
	heard  map[string][]string
}

var (
	_ adapters.Agent     = (*stage)(nil)
	_ adapters.Transport = (*stage)(nil)
)

func newStage() *stage {
	return &stage{agents: map[string]*agent{}, next: map[string][]start{}, heard: map[string][]string{}}
}

func (s *stage) Name() string { return "puppet" }

func (s *stage) Capabilities() adapters.Capabilities {
	return adapters.Capabilities{
		Steer: true, Resume: true, Questions: true,
		Approvals: []string{protocol.AllowOnce, protocol.AllowAlways, protocol.DenyContinue, protocol.DenyStop},
	}
}

func (s *stage) Find(context.Context) adapters.Installation {
	return adapters.Installation{Program: "puppet", Version: "1", Tested: true}
}

func (s *stage) Launch(spec adapters.Spec) adapters.Launch {
	return adapters.Launch{Path: "puppet", Args: []string{spec.SessionID, strconv.FormatBool(spec.Resume)}}
}

func (s *stage) Translator(spec adapters.Spec) adapters.Translator {
	return &translator{stage: s, session: spec.SessionID}
}

// Start implements adapters.Transport.
func (s *stage) Start(_ context.Context, l adapters.Launch) (adapters.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := l.Args[0]
	how := quick
	if next := s.next[id]; len(next) > 0 {
		how, s.next[id] = next[0], next[1:]
	}
	s.starts = append(s.starts, started{id, how, l.Args[1] == "true", time.Now()})
	if how == failed {
		return nil, fmt.Errorf("the program cannot be started")
	}
	a := &agent{wake: make(chan struct{}, 1), over: make(chan struct{})}
	s.agents[id] = a
	if how == quick {
		a.write(s.line(adapters.Ready{NativeSessionID: "n"}))
	}
	return a, nil
}

// line makes a line of drafts. mu is held.
func (s *stage) line(drafts ...adapters.Draft) []byte {
	s.said = append(s.said, drafts)
	return append(strconv.AppendInt(nil, int64(len(s.said)-1), 10), '\n')
}

// alive says that a session's agent runs.
func (s *stage) alive(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.agents[id]
	return a != nil && !a.ended()
}

// say lets a session's agent say something.
func (s *stage) say(id string, drafts ...adapters.Draft) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.agents[id].write(s.line(drafts...))
}

func (s *stage) exit(id string, x adapters.Exit) {
	s.mu.Lock()
	a := s.agents[id]
	s.mu.Unlock()
	a.end(x)
}

// prepare says how the next agents of a session start; those after them do at once.
func (s *stage) prepare(id string, how ...start) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next[id] = how
}

// news gives the starts since the last time.
func (s *stage) news() []started {
	s.mu.Lock()
	defer s.mu.Unlock()
	starts := s.starts
	s.starts = nil
	return starts
}

// told gives what the agents were told since the last time, by session.
func (s *stage) told() map[string][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	heard := s.heard
	s.heard = map[string][]string{}
	return heard
}

type translator struct {
	stage   *stage
	session string
}

func (t *translator) Start(*adapters.Output)               {}
func (t *translator) Sent([]byte, *adapters.Output)        {}
func (t *translator) Exit(adapters.Exit, *adapters.Output) {}

func (t *translator) Line(line []byte, out *adapters.Output) {
	n, err := strconv.Atoi(string(line))
	if err != nil {
		panic(err)
	}
	t.stage.mu.Lock()
	defer t.stage.mu.Unlock()
	for _, d := range t.stage.said[n] {
		out.Draft(d)
	}
}

func (t *translator) Command(c adapters.Command, _ *adapters.Output) {
	var text string
	switch c := c.(type) {
	case adapters.Prompt:
		text = "prompt " + c.ID
		if c.Steer {
			text = "steer " + c.ID
		}
	case adapters.Interrupt:
		text = "interrupt"
	case adapters.Answer:
		text = fmt.Sprintf("answer %d %s %s", c.Key, c.Outcome, c.Option)
	default:
		text = fmt.Sprintf("%T", c)
	}
	t.stage.mu.Lock()
	defer t.stage.mu.Unlock()
	t.stage.heard[t.session] = append(t.stage.heard[t.session], text)
}

// agent is one running agent. It ends at once when it is asked to.
type agent struct {
	mu   sync.Mutex
	out  []byte
	exit *adapters.Exit
	wake chan struct{} // one slot
	over chan struct{}
}

func (a *agent) write(b []byte) {
	a.mu.Lock()
	a.out = append(a.out, b...)
	a.mu.Unlock()
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

func (a *agent) end(x adapters.Exit) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.exit == nil {
		a.exit = &x
		close(a.over)
	}
}

func (a *agent) ended() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.exit != nil
}

// Read is the agent's output.
func (a *agent) Read(p []byte) (int, error) {
	for {
		a.mu.Lock()
		n, over := copy(p, a.out), a.exit != nil
		a.out = a.out[n:]
		a.mu.Unlock()
		switch {
		case n > 0:
			return n, nil
		case over:
			return 0, io.EOF
		}
		select {
		case <-a.wake:
		case <-a.over:
		}
	}
}

// Write is its input, which only the translator would fill.
func (a *agent) Write(p []byte) (int, error) { return len(p), nil }

func (a *agent) Close() error            { return nil }
func (a *agent) Output() io.Reader       { return a }
func (a *agent) Input() io.WriteCloser   { return a }
func (*agent) EndOrphans(_, _ time.Time) {}

func (a *agent) Stop(time.Duration)                    { a.end(adapters.Exit{Requested: true}) }
func (a *agent) Process() (p adapters.Process, _ bool) { return p, false }

func (a *agent) Wait() adapters.Exit {
	<-a.over
	return *a.exit
}
