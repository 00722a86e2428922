package opencode_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// link is a connection with its splitter and the sessions on it, as the daemon has them.
type link struct {
	testing.TB
	conn     adapters.Conn
	splitter adapters.Splitter
	mu       sync.Mutex
	news     *sync.Cond
	lanes    map[adapters.Lane]*session
	all      []*session
	ended    bool
	writes   chan []byte
	done     chan struct{}
}

// session is one session of a link.
type session struct {
	link   *link
	lane   adapters.Lane
	native string
	parent adapters.Lane
	tr     adapters.Translator
	ledger conformance.Ledger
	said   []adapters.Draft
	read   int // of said, by until
	over   bool
}

func newLink(t testing.TB, conn adapters.Conn, spec adapters.Spec) *link {
	l := &link{
		TB: t, conn: conn, splitter: opencode.Agent{}.Splitter(spec), lanes: map[adapters.Lane]*session{},
		writes: make(chan []byte, 4096), done: make(chan struct{}),
	}
	l.news = sync.NewCond(&l.mu)
	go func() { // ends with the channel, which stop closes
		for line := range l.writes {
			trace("<", line)
			if _, err := conn.Input().Write(append(line, '\n')); err != nil {
				continue
			}
		}
	}()
	go func() { // ends with the connection, which stop waits for
		defer close(l.done)
		frames := process.NewFramer(conn.Output(), 0)
		for {
			frame, err := frames.Next()
			if err != nil {
				break
			}
			trace(">", frame.Line)
			l.do(func(split *adapters.Split) { l.splitter.Line(bytes.Clone(frame.Line), split) })
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.ended = true
		l.news.Broadcast()
	}()
	return l
}

// do calls the splitter and passes on what it says.
func (l *link) do(call func(*adapters.Split)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.locked(call)
}

func (l *link) locked(call func(*adapters.Split)) {
	var split adapters.Split
	call(&split)
	for _, line := range split.Lines {
		l.writes <- bytes.Clone(line)
	}
	for _, p := range split.Parts {
		switch s := l.lanes[p.Lane]; {
		case p.Born != nil:
			parent := l.lanes[p.Born.Parent]
			if parent == nil {
				continue
			}
			s = &session{link: l, lane: p.Lane, parent: p.Born.Parent, native: p.Born.NativeID}
			s.tr = opencode.Agent{}.Translator(adapters.Spec{SessionID: "child", NativeSessionID: s.native, Child: true})
			l.lanes[p.Lane] = s
			l.all = append(l.all, s)
			s.tell(s.tr.Start)
		case s == nil:
		case p.Over:
			s.over = true
		default:
			line := bytes.Clone(p.Line)
			s.tell(func(out *adapters.Output) { s.tr.Line(line, out) })
		}
	}
	l.news.Broadcast()
}

// join gives a session a lane.
func (l *link) join(spec adapters.Spec) *session {
	l.mu.Lock()
	defer l.mu.Unlock()
	var split adapters.Split
	s := &session{link: l, tr: opencode.Agent{}.Translator(spec)}
	s.lane = l.splitter.Join(spec, &split)
	l.lanes[s.lane] = s
	l.all = append(l.all, s)
	s.tell(s.tr.Start)
	return s
}

// tell calls the translator. With mu held.
func (s *session) tell(call func(*adapters.Output)) {
	s.link.Helper()
	var out adapters.Output
	call(&out)
	for _, d := range out.Drafts {
		if problem := s.ledger.Take(d); problem != "" {
			s.link.Errorf("%s: %s", conformance.Describe(d), problem)
		}
		if r, ok := d.(adapters.Ready); ok {
			s.native = r.NativeSessionID
		}
	}
	s.said = append(s.said, out.Drafts...)
	for _, line := range out.Lines {
		s.link.locked(func(split *adapters.Split) { s.link.splitter.Say(s.lane, line, split) })
	}
}

func (s *session) command(c adapters.Command) {
	s.link.mu.Lock()
	defer s.link.mu.Unlock()
	s.tell(func(out *adapters.Output) { s.tr.Command(c, out) })
}

// until waits until a draft is as wanted. A draft is looked at once.
func (s *session) until(what string, ok func(d adapters.Draft) bool) {
	s.link.Helper()
	late := time.AfterFunc(90*time.Second, func() {
		s.link.mu.Lock()
		defer s.link.mu.Unlock()
		s.link.ended = true
		s.link.news.Broadcast()
	})
	defer late.Stop()
	s.link.mu.Lock()
	defer s.link.mu.Unlock()
	for {
		for s.read < len(s.said) {
			s.read++
			if ok(s.said[s.read-1]) {
				return
			}
		}
		if s.link.ended {
			if s.link.over() {
				s.link.Errorf("the connection ended: %+v", s.link.conn.Wait())
			}
			s.link.Fatalf("no %s; said:\n%s", what, s.text())
		}
		s.link.news.Wait()
	}
}

// over says that the connection has ended.
func (l *link) over() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

func (s *session) text() string {
	var b strings.Builder
	for _, d := range s.said {
		b.WriteString(conformance.Describe(d) + "\n")
	}
	return b.String()
}

func (s *session) ready() {
	s.link.Helper()
	s.until("Ready", func(d adapters.Draft) bool { _, ok := d.(adapters.Ready); return ok })
}

func (s *session) turnEnd(status protocol.TurnStatus) {
	s.link.Helper()
	s.until("end of the turn: "+string(status), func(d adapters.Draft) bool {
		end, ok := d.(adapters.TurnEnded)
		if ok && end.Status != status {
			s.link.Errorf("got %+v, want %s; said:\n%s", end, status, s.text())
		}
		return ok
	})
}

// request waits for a request of the agent.
func (s *session) request() (r adapters.RequestOpened) {
	s.link.Helper()
	s.until("a request", func(d adapters.Draft) bool {
		o, ok := d.(adapters.RequestOpened)
		if ok {
			r = o
		}
		return ok
	})
	return r
}

// call waits for the end of a tool call.
func (s *session) call(want protocol.ToolStatus) (call protocol.ToolCallData) {
	s.link.Helper()
	s.until("a closed tool call", func(d adapters.Draft) bool {
		e, ok := d.(adapters.EntryClosed)
		if !ok {
			return false
		}
		data, ok := e.Data.(*protocol.ToolCallData)
		if ok {
			call = *data
			if call.Status != want {
				s.link.Errorf("got %+v, want %s", call, want)
			}
		}
		return ok
	})
	return call
}

// final is the text of the newest entry of a type that ended.
func (s *session) final(kind protocol.EntryType) (text string) {
	s.link.mu.Lock()
	defer s.link.mu.Unlock()
	kinds := map[adapters.EntryKey]protocol.EntryType{}
	for _, d := range s.said {
		switch d := d.(type) {
		case adapters.EntryOpened:
			kinds[d.Key] = d.Type
		case adapters.EntryClosed:
			if m, ok := d.Data.(*protocol.MessageData); ok && kinds[d.Key] == kind {
				text = m.Text
			}
		}
	}
	return text
}

// ids are the persistent ids that were said.
func (s *session) ids() (ids []string) {
	s.link.mu.Lock()
	defer s.link.mu.Unlock()
	for _, d := range s.said {
		if o, ok := d.(adapters.EntryOpened); ok && o.PersistentID != "" {
			ids = append(ids, o.PersistentID)
		}
	}
	return ids
}

// stop ends the connection and waits.
func (l *link) stop() adapters.Exit {
	l.Helper()
	l.conn.Stop(8 * time.Second)
	return l.wait()
}

func (l *link) wait() adapters.Exit {
	l.Helper()
	<-l.done
	exit := l.conn.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.all {
		s.tell(func(out *adapters.Output) { s.tr.Exit(exit, out) })
	}
	close(l.writes)
	return exit
}

func isRunning(d adapters.Draft) bool {
	c, ok := d.(adapters.EntryChanged)
	if !ok {
		return false
	}
	s, ok := c.Delta.(*protocol.StatusChange)
	return ok && s.Status == protocol.ToolRunning
}

func isText(d adapters.Draft) bool {
	c, ok := d.(adapters.EntryChanged)
	if !ok {
		return false
	}
	_, ok = c.Delta.(*protocol.TextAppend)
	return ok
}

// trace writes a line of a live test to standard error, where that is wanted.
func trace(way string, line []byte) {
	if os.Getenv("RINGMASTER_LIVE_TRACE") != "" {
		fmt.Fprintf(os.Stderr, "%s %s %.400s\n", time.Now().Format("05.000"), way, line)
	}
}
