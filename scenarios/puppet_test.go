package scenarios

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/scenarios/fake"
)

// The agents that the steps play: they speak Pi's protocol through Pi's own translator, and say only what the steps write.
const (
	puppetAgent  = "puppet"  // answers the housekeeping commands by itself, as Pi does
	muteAgent    = "mute"    // answers nothing
	missingAgent = "missing" // is not installed
)

// staged is one of them.
type staged struct {
	pi.Agent
	name string
}

func (a staged) Name() string { return a.name }

func (a staged) Find(context.Context) adapters.Installation {
	if a.name == missingAgent {
		return adapters.Installation{Problem: "the program was not found", Hint: "Install it."}
	}
	return adapters.Installation{Program: a.name, Version: "1.5.2", Tested: true}
}

// stage starts all agents of a scenario, over all its daemons: the puppets, and the scripted agents as goroutines.
type stage struct {
	fake fake.Stage       // agents' own programs
	real []adapters.Agent // whose they are

	kept scripted.Memory // the sessions of the scripted agents

	mu      sync.Mutex
	puppets map[string]*puppet // the newest one of each session
	running int                // puppets that nobody has waited for
	starts  uint64             // of scripted agents: each makes its own ids
	script  []byte
}

func newStage() *stage { return &stage{puppets: map[string]*puppet{}} }

// agents are all that a bubble has.
func (s *stage) agents() []adapters.Agent {
	return append([]adapters.Agent{
		scripted.Agent{Native: pi.Agent{}, Version: "1.0.0", SessionDir: "sessions"},
		staged{name: puppetAgent},
		staged{name: muteAgent},
		staged{name: missingAgent},
		troupe{},
	}, s.real...)
}

func (s *stage) setScript(text []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = text
}

// Start implements adapters.Transport.
func (s *stage) Start(ctx context.Context, l adapters.Launch) (adapters.Conn, error) {
	if _, ok := s.fake.Version(l.Path); ok {
		return s.fake.Start(ctx, l)
	}
	if l.Path != puppetAgent && l.Path != muteAgent && l.Path != troupeAgent {
		s.mu.Lock()
		s.starts++
		t := scripted.Transport{Script: s.script, Sessions: &s.kept, Seed: s.starts}
		s.mu.Unlock()
		c, err := t.Start(ctx, l)
		if err != nil {
			return nil, err
		}
		return paced{c, &pacedInput{to: c.Input()}}, nil
	}
	id := ""
	if i := slices.Index(l.Args, "--session-id"); i >= 0 {
		id = l.Args[i+1]
	}
	p := newPuppet(s, id, l.Path == muteAgent)
	p.heard = [][]byte{[]byte("# started with " + strings.Join(l.Args, " "))}
	if l.Path == troupeAgent {
		p.reply = troupeReply
		p.say([]byte(troupeReady(id)))
	}
	s.mu.Lock()
	s.puppets[id] = p
	s.running++
	s.mu.Unlock()
	return p, nil
}

func (s *stage) find(id string) *puppet {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.puppets[id]
}

// left counts the agents that nobody has waited for.
func (s *stage) left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

// puppet is one running agent. Its only goroutine writes what it says and ends with it.
type puppet struct {
	stage *stage
	id    string
	mute  bool
	reply func(line []byte) string // nil: as Pi does
	out   *io.PipeReader
	in    *input

	mu      sync.Mutex
	saying  [][]byte
	running bool // between agent_start and agent_settled
	over    bool
	exit    adapters.Exit
	heard   [][]byte
	shown   int // of heard, by earlier checks
	said    chan struct{}
	done    chan struct{}
}

func newPuppet(s *stage, id string, mute bool) *puppet {
	r, w := io.Pipe()
	p := &puppet{stage: s, id: id, mute: mute, out: r, said: make(chan struct{}, 1), done: make(chan struct{})}
	p.in = &input{p: p}
	go p.write(w)
	return p
}

// write is the agent's writing side: it blocks while nobody reads, as a pipe does.
func (p *puppet) write(w *io.PipeWriter) {
	defer close(p.done)
	for {
		p.mu.Lock()
		said, over := p.saying, p.over
		p.saying = nil
		p.mu.Unlock()
		for _, b := range said {
			if _, err := w.Write(b); err != nil {
				break
			}
		}
		if over && len(said) == 0 {
			w.Close()
			return
		}
		if len(said) == 0 {
			<-p.said
		}
	}
}

// say writes bytes as they are.
func (p *puppet) say(b []byte) {
	p.mu.Lock()
	if !p.over {
		p.saying = append(p.saying, bytes.Clone(b))
		p.follow(b)
	}
	p.mu.Unlock()
	p.wake()
}

// follow notes whether a run is on, for the answers to prompts. mu is held.
func (p *puppet) follow(b []byte) {
	for line := range bytes.Lines(b) {
		var e struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(line, &e) != nil {
			continue
		}
		switch e.Type {
		case "agent_start":
			p.running = true
		case "agent_settled":
			p.running = false
		}
	}
}

func (p *puppet) wake() {
	select {
	case p.said <- struct{}{}:
	default:
	}
}

// end ends the agent.
func (p *puppet) end(x adapters.Exit) {
	p.mu.Lock()
	if !p.over {
		p.over, p.exit = true, x
	}
	p.mu.Unlock()
	p.wake()
}

// Output implements adapters.Conn.
func (p *puppet) Output() io.Reader { return p.out }

// Input implements adapters.Conn.
func (p *puppet) Input() io.WriteCloser { return p.in }

func (*puppet) EndOrphans(_, _ time.Time) {}

// Stop ends a puppet at once; it would also end with its input.
func (p *puppet) Stop(grace time.Duration) {
	x := adapters.Exit{Requested: true}
	if grace <= 0 {
		x.Code, x.Signal = -1, "killed"
	}
	p.end(x)
}

// Wait implements adapters.Conn.
func (p *puppet) Wait() adapters.Exit {
	<-p.done
	p.stage.mu.Lock()
	p.stage.running--
	p.stage.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit
}

// Process implements adapters.Conn: there is none.
func (p *puppet) Process() (adapters.Process, bool) { return adapters.Process{}, false }

// input is the agent's standard input.
type input struct {
	p    *puppet
	rest []byte
}

func (i *input) Write(b []byte) (int, error) {
	i.rest = append(i.rest, b...)
	for {
		line, rest, whole := bytes.Cut(i.rest, []byte("\n"))
		if !whole {
			return len(b), nil
		}
		i.p.hear(bytes.Clone(line))
		i.rest = rest
	}
}

// Close is the end of the input: Pi ends by it.
func (i *input) Close() error {
	i.p.end(adapters.Exit{})
	return nil
}

// command is what a puppet reads of a line.
type command struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// hear keeps a command and answers it as Pi does where Pi answers without a run.
func (p *puppet) hear(line []byte) {
	var c command
	_ = json.Unmarshal(line, &c)
	p.mu.Lock()
	if c.Type != "get_state" && c.Type != "get_entries" && c.Type != "get_available_models" {
		p.heard = append(p.heard, line)
	}
	running := p.running
	p.mu.Unlock()
	if p.mute || c.Type == "extension_ui_response" {
		return
	}
	if p.reply != nil {
		if answer := p.reply(line); answer != "" {
			p.say([]byte(answer + "\n"))
		}
		return
	}
	data := ""
	switch c.Type {
	case "get_state":
		data = `{"model":{"id":"fake-1","provider":"fake"},"thinkingLevel":"off","sessionId":"` + p.id + `"}`
	case "get_available_models":
		data = `{"models":[]}`
	case "get_entries":
		data = `{"entries":[]}`
	case "prompt":
		if data = `{"disposition":"started"}`; running {
			data = `{"disposition":"queued"}`
		}
	}
	answer := `{"id":"` + c.ID + `","type":"response","command":"` + c.Type + `","success":true`
	if data != "" {
		answer += `,"data":` + data
	}
	p.say([]byte(answer + "}\n"))
}

// news are the commands since the last check.
func (p *puppet) news() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := p.heard[p.shown:]
	p.shown = len(p.heard)
	if len(lines) == 0 {
		return nil
	}
	return append(bytes.Join(lines, []byte("\n")), '\n')
}

// exitOf reads how a step ends an agent: a status, or a signal's name.
func exitOf(how string) adapters.Exit {
	if code, err := jsonInt(how); err == nil {
		x := adapters.Exit{Code: code}
		if code != 0 {
			x.Stderr = []string{"puppet: something went wrong"}
		}
		return x
	}
	return adapters.Exit{Code: -1, Signal: strings.ToLower(how)}
}

func jsonInt(s string) (n int, err error) { return n, json.Unmarshal([]byte(s), &n) }
