package fake

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// machine is one program that runs in memory. Its goroutine is run, which has ended when Wait returns.
type machine struct {
	stage   *Stage
	program *program
	part    *part
	names   names
	queue   *queue
	in      *input
	out     *io.PipeReader
	said    *io.PipeWriter
	ctx     context.Context
	cancel  context.CancelFunc
	done    chan struct{}
	exit    adapters.Exit // valid after done

	mu        sync.Mutex
	forced    *End // what ends it from outside
	requested bool
	timers    []*time.Timer
}

func newMachine(s *Stage, p *program, part *part, have names) *machine {
	m := &machine{stage: s, program: p, part: part, names: have, queue: newQueue(), done: make(chan struct{})}
	m.in = &input{queue: m.queue}
	if p.script.Listens != "" {
		m.in.queue = newQueue()
	}
	m.out, m.said = io.Pipe()
	m.ctx, m.cancel = context.WithCancel(context.Background())
	return m
}

// run plays the part. l is where the program listens; nil: nowhere.
func (m *machine) run(l net.Listener) {
	defer close(m.done)
	script := m.program.script
	played := 0
	p := player{script: script, part: m.part, queue: m.queue, names: m.names, real: m.stage.Real, played: func(n int) { played = n }}
	p.wrong = func(format string, a ...any) { m.stage.complain(m.program.name, format, a...) }
	face, log, over := newFace(script, m.queue, m.said, l)
	p.face = face
	if l != nil && !m.part.serve {
		face := lines{out: m.said}
		face.write([]byte(script.Listens + " http://" + l.Addr().String() + "\n"))
	}
	how := p.play(m.ctx)
	m.cancel()
	over()
	_ = m.said.Close()
	m.mu.Lock()
	for _, t := range m.timers {
		t.Stop()
	}
	if m.forced != nil && (how == End{}) {
		how = *m.forced
	}
	m.exit = adapters.Exit{Code: how.Code, Requested: m.requested, Stderr: log.all()}
	if how.Signal != 0 {
		m.exit.Signal = how.Signal.String()
	}
	m.mu.Unlock()
	if played < len(m.part.acts) {
		p.wrong("line %d was not played", m.part.acts[played].line)
	}
	m.stage.mu.Lock()
	delete(m.stage.running, m)
	m.stage.mu.Unlock()
}

// newFace makes the face of a program, and what ends it.
func newFace(script *Script, q *queue, out io.Writer, l net.Listener) (f face, log *stderrLines, over func()) {
	if l == nil {
		f := &lines{out: out}
		return f, &f.log, func() {}
	}
	conns := &listener{Listener: l}
	var handler http.Handler
	if script.Listens == "" {
		s := &socket{queue: q, conns: conns}
		f, log, handler = s, &s.log, s
	} else {
		c := newCalls(q, conns)
		f, log, handler = c, &c.log, c
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	ended := make(chan struct{})
	go func() { // ends with the server
		defer close(ended)
		_ = server.Serve(conns)
	}()
	return f, log, func() {
		_ = server.Close()
		conns.cut() // also those that became websockets
		<-ended
	}
}

// Output implements adapters.Conn.
func (m *machine) Output() io.Reader { return m.out }

// Input implements adapters.Conn. A program that listens reads none.
func (m *machine) Input() io.WriteCloser { return m.in }

// EndOrphans does nothing: there are no processes.
func (*machine) EndOrphans(_, _ time.Time) {}

// Stop closes the program's input, asks it to end after a quarter of the grace and ends it after all of it.
func (m *machine) Stop(grace time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requested = true
	if grace <= 0 {
		m.force(syscall.SIGKILL)
		return
	}
	if m.program.script.Listens == "" {
		m.queue.end()
	}
	m.timers = append(m.timers, time.AfterFunc(grace/4, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.force(syscall.SIGTERM)
	}))
}

// force ends the program as a signal does. mu is held.
func (m *machine) force(sig syscall.Signal) {
	if m.forced == nil {
		m.forced = &End{Code: -1, Signal: sig}
	}
	m.cancel()
	_ = m.said.Close() // a write that blocks fails
}

// Wait implements adapters.Conn.
func (m *machine) Wait() adapters.Exit {
	<-m.done
	return m.exit
}

// Process implements adapters.Conn: there is none.
func (m *machine) Process() (adapters.Process, bool) { return adapters.Process{}, false }
