package supervisor_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
)

// hub is an agent whose one process carries the sessions of a folder, and their sub-agents: scripted agents behind one
// connection. A prompt "spawn:NAME TEXT" has a session start a sub-agent, which gets TEXT. One whose name begins with "stay" stays
// when it is done, and one whose name begins with "twice" is done and at once taken up again, once.
type hub struct {
	scripted.Agent
	transport scripted.Transport
	servers   *servers
}

// servers are the processes of a hub, and how they were started.
type servers struct {
	mu      sync.Mutex
	all     []*server
	specs   []adapters.Spec // of translators
	markers []string
}

func (s *servers) add(v *server, env []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, v)
	for _, e := range env {
		if m, ok := strings.CutPrefix(e, adapters.MarkerEnv+"="); ok {
			s.markers = append(s.markers, m)
		}
	}
}

// running are the processes that have not ended.
func (s *servers) running() (list []*server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.all {
		select {
		case <-v.done:
		default:
			list = append(list, v)
		}
	}
	return list
}

func (hub) Name() string { return "hub" }

func (h hub) Capabilities() adapters.Capabilities {
	c := h.Agent.Capabilities()
	c.Shared, c.SubAgents, c.Attach = true, true, true
	return c
}

func (hub) Find(context.Context) adapters.Installation { return adapters.Installation{Program: "hub"} }

func (hub) Connection(spec adapters.Spec) string {
	if spec.Endpoint != nil {
		return spec.Endpoint.URL
	}
	return spec.Cwd
}

func (h hub) Connect(_ context.Context, spec adapters.Spec, _ adapters.Transport) (adapters.Conn, error) {
	if spec.Endpoint != nil && spec.Endpoint.Password != "right" {
		return nil, errors.New("the password is wrong")
	}
	v := &server{hub: h, inner: map[string]adapters.Conn{}, again: map[string]bool{}, done: make(chan struct{}), dir: spec.Cwd}
	v.inR, v.inW = io.Pipe()
	v.outR, v.outW = io.Pipe()
	h.servers.add(v, spec.Env)
	go v.run()
	return v, nil
}

func (h hub) Translator(spec adapters.Spec) adapters.Translator {
	h.servers.mu.Lock()
	h.servers.specs = append(h.servers.specs, spec)
	h.servers.mu.Unlock()
	return &hubTranslator{Translator: h.Agent.Translator(spec), spec: spec}
}

// hubLine is a line of the hub: one of its members besides Session is set.
type hubLine struct {
	Session string          `json:"s"`
	Line    json.RawMessage `json:"l,omitempty"`
	Born    string          `json:"born,omitempty"`
	Join    bool            `json:"join,omitempty"`
	Leave   bool            `json:"leave,omitempty"`
	Over    bool            `json:"over,omitempty"`
}

func (l hubLine) json() []byte {
	b, err := json.Marshal(l)
	if err != nil {
		panic(err)
	}
	return b
}

// hubTranslator is Pi's, and tells of sub-agents.
type hubTranslator struct {
	adapters.Translator
	spec adapters.Spec
}

func (t *hubTranslator) Start(out *adapters.Output) {
	if !t.spec.Child {
		t.Translator.Start(out)
		return
	}
	var unsaid adapters.Output
	t.Translator.Start(&unsaid)
	out.Draft(adapters.Ready{NativeSessionID: t.spec.NativeSessionID})
}

func (t *hubTranslator) Line(line []byte, out *adapters.Output) {
	var l hubLine
	if json.Unmarshal(line, &l) == nil && l.Born != "" {
		out.Draft(adapters.ChildBegan{NativeID: l.Born, Title: "the " + l.Born})
		return
	}
	t.Translator.Line(line, out)
}

func (hub) Splitter(adapters.Spec) adapters.Splitter {
	return &hubSplitter{lanes: map[string]adapters.Lane{}, names: map[adapters.Lane]string{}}
}

type hubSplitter struct {
	newest adapters.Lane
	lanes  map[string]adapters.Lane
	names  map[adapters.Lane]string
}

func (s *hubSplitter) Start(*adapters.Split) {}

func (s *hubSplitter) add(name string) adapters.Lane {
	s.newest++
	s.lanes[name], s.names[s.newest] = s.newest, name
	return s.newest
}

func (s *hubSplitter) Join(spec adapters.Spec, out *adapters.Split) adapters.Lane {
	name := spec.NativeSessionID
	if name == "" {
		name = spec.SessionID
	}
	out.Line(hubLine{Session: name, Join: true}.json())
	return s.add(name)
}

func (s *hubSplitter) Line(line []byte, out *adapters.Split) {
	var l hubLine
	if err := json.Unmarshal(line, &l); err != nil {
		panic(err)
	}
	lane := s.lanes[l.Session]
	switch {
	case l.Born != "":
		out.Born(s.add(l.Session+"/"+l.Born), adapters.Birth{Parent: lane, NativeID: l.Born})
		out.To(lane, line)
	case l.Over:
		out.Over(lane)
	default:
		out.To(lane, l.Line)
	}
}

func (s *hubSplitter) Say(lane adapters.Lane, line []byte, out *adapters.Split) {
	out.Line(hubLine{Session: s.names[lane], Line: line}.json())
}

func (s *hubSplitter) Sent([]byte, *adapters.Split) {}

func (s *hubSplitter) Leave(lane adapters.Lane, out *adapters.Split) {
	out.Line(hubLine{Session: s.names[lane], Leave: true}.json())
}

// server is the process of a hub.
type server struct {
	hub  hub
	dir  string
	inR  *io.PipeReader
	inW  *io.PipeWriter
	outR *io.PipeReader
	outW *io.PipeWriter
	work sync.WaitGroup
	done chan struct{}
	exit adapters.Exit

	out sync.Mutex // of writes to outW

	mu        sync.Mutex
	inner     map[string]adapters.Conn
	again     map[string]bool // sub-agents that were taken up again
	requested bool
	killed    bool
}

func (v *server) Output() io.Reader                 { return v.outR }
func (v *server) Input() io.WriteCloser             { return v.inW }
func (v *server) Process() (adapters.Process, bool) { return adapters.Process{PID: 1}, true }
func (v *server) Wait() adapters.Exit               { <-v.done; return v.exit }

func (*server) EndOrphans(_, _ time.Time) {}

func (v *server) Stop(grace time.Duration) {
	v.mu.Lock()
	v.requested = true
	v.mu.Unlock()
	v.end(grace)
}

// kill ends the process as a signal would.
func (v *server) kill() {
	v.mu.Lock()
	v.killed = true
	v.mu.Unlock()
	v.end(0)
}

func (v *server) end(grace time.Duration) {
	_ = v.inW.Close()
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, c := range v.inner {
		c.Stop(grace)
	}
}

// run hears until the input ends; the process ends with its last session.
func (v *server) run() {
	lines := bufio.NewScanner(v.inR)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l hubLine
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			panic(err)
		}
		v.hear(l)
	}
	v.end(time.Second)
	v.work.Wait()
	v.mu.Lock()
	v.exit = adapters.Exit{Requested: v.requested}
	if v.killed {
		v.exit = adapters.Exit{Code: -1, Signal: "killed"}
	}
	v.mu.Unlock()
	_ = v.outW.Close()
	close(v.done)
}

func (v *server) hear(l hubLine) {
	v.mu.Lock()
	c := v.inner[l.Session]
	v.mu.Unlock()
	switch {
	case l.Join:
		v.start(l.Session)
	case c == nil: // of a session that has ended
	case l.Leave:
		c.Stop(time.Second)
	default:
		var prompt struct{ Type, Message string }
		_ = json.Unmarshal(l.Line, &prompt)
		if spawn, ok := strings.CutPrefix(prompt.Message, "spawn:"); ok && prompt.Type == "prompt" {
			name, text, _ := strings.Cut(spawn, " ")
			v.spawn(l.Session, name, text)
			l.Line = bytes.Replace(l.Line, spoken(prompt.Message), spoken("I have started "+name), 1)
		}
		_, _ = c.Input().Write(append(l.Line, '\n'))
	}
}

// spawn starts a sub-agent and gives it its task.
func (v *server) spawn(parent, name, text string) {
	v.say(hubLine{Session: parent, Born: name})
	child := v.start(parent + "/" + name)
	first := append([]byte(`{"id":"first","type":"prompt","message":`), spoken(text)...)
	_, _ = child.Input().Write(append(first, "}\n"...))
}

// spoken is a text as a part of a line.
func spoken(text string) []byte {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return b
}

// start starts the scripted agent of a session or a sub-agent.
func (v *server) start(name string) adapters.Conn {
	id := strings.ReplaceAll(name, "/", ".")
	c, err := v.hub.transport.Start(context.Background(), v.hub.Agent.Launch(adapters.Spec{SessionID: id, Program: "hub", Cwd: v.dir}))
	if err != nil {
		panic(err)
	}
	v.mu.Lock()
	v.inner[name] = c
	v.mu.Unlock()
	v.work.Go(func() {
		lines := bufio.NewScanner(c.Output())
		lines.Buffer(nil, 1<<20)
		parent, short, child := strings.Cut(name, "/")
		stays := strings.HasPrefix(short, "stay")
		for lines.Scan() {
			v.say(hubLine{Session: name, Line: lines.Bytes()})
			if child && !stays && strings.Contains(lines.Text(), `"type":"agent_end"`) {
				c.Stop(time.Second)
			}
		}
		c.Wait()
		v.mu.Lock()
		if v.inner[name] == c {
			delete(v.inner, name)
		}
		killed := v.killed
		again := strings.HasPrefix(short, "twice") && !v.again[name] && !v.requested
		v.again[name] = again
		v.mu.Unlock()
		if child && !killed {
			v.say(hubLine{Session: name, Over: true})
		}
		if again {
			v.spawn(parent, short, "once more")
		}
	})
	return c
}

func (v *server) say(l hubLine) {
	v.out.Lock()
	defer v.out.Unlock()
	_, _ = v.outW.Write(append(l.json(), '\n'))
}

// asks is a prompt that has a sub-agent ask for an approval.
const asks = "spawn:kid Ask first.\n```script\n" +
	`[{"tool":{"name":"bash","args":{"command":"rm x"},"approve":true,"allowed":[{"say":{"text":"Removed."}}]}}]` + "\n```"
