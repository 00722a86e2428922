package model_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
	"github.com/ringmaster-agents/ringmaster/scenarios/model"
	"pgregory.net/rapid"
)

// world is a daemon and, for each of its sessions, the model.
type world struct {
	*rapid.T
	ctx      context.Context
	daemon   *daemon
	born     time.Time
	sessions []*session
	starts   []started // of agents, not yet told to a model
	steps    int
}

// session is one session on both sides.
type session struct {
	id      string
	model   *model.Session
	log     [][]byte // all lines
	audit   *audit.Log
	fold    protocol.SessionState
	readers []*reader
	past    []*reader // of earlier daemons, not yet compared
	keys    int       // of the agent's entries and requests
	dormant bool      // nobody has asked for it since the daemon's start, or since it was parked
	killed  bool      // the daemon was: the next one may start its agent again
}

// wrong ends the sequence. What is wrong is short and the same each time, so that the case can be shrunk; the details are not.
func (w *world) wrong(what, details string, args ...any) {
	w.Helper()
	w.Logf(details, args...)
	w.Fatalf("%s", what)
}

// now is the time of the models. It is never 0.
func (w *world) now() time.Duration { return time.Since(w.born) + 1 }

func (w *world) find(id string) *session {
	i := slices.IndexFunc(w.sessions, func(x *session) bool { return x.id == id })
	if i < 0 {
		return nil
	}
	return w.sessions[i]
}

// step does something to the daemon, and then to the model of the session that it is about; nil: of none yet.
func (w *world) step(x *session, do func() reply, then func() model.Answer) {
	w.steps++
	got := do()
	synctest.Wait()
	w.pass(x)
	want := then()
	w.expect(&got, &want)
	w.settle()
}

// pass brings the models to the present, through the starts of agents that came in between: but those of x, which come from what
// its model has not been told yet.
func (w *world) pass(x *session) {
	w.starts = append(w.starts, w.daemon.stage.news()...)
	later := w.starts[:0]
	for _, e := range w.starts {
		if of := w.find(e.session); of == nil || of == x {
			later = append(later, e)
		} else {
			w.started(of, e)
		}
	}
	w.starts = later
	for _, x := range w.sessions {
		x.model.Pass(w.now())
	}
}

// started tells a model of an agent's start, which must have been due.
func (w *world) started(x *session, e started) {
	m := x.model
	if m.Agent != model.Starting && (!x.killed || m.Agent != model.Gone || m.End != "") {
		w.wrong("an agent was started unasked", "session %s, which is %s", x.id, m.State())
	}
	x.killed = false
	m.Pass(max(e.at.Sub(w.born)+1, m.Now()))
	w.same("the agent goes on with its session", e.resumed, m.Resumes())
	m.Started()
	switch e.how {
	case quick:
		m.IsReady()
	case failed:
		m.Exits(false)
	case slow:
	}
}

// idle compares where no model must be told of anything but time.
func (w *world) idle() {
	synctest.Wait()
	w.settle()
}

// settle takes in what has happened since, and compares.
func (w *world) settle() {
	w.notice()
	w.compare()
}

// notice takes in what has happened since.
func (w *world) notice() {
	w.pass(nil)
	w.starts = nil // of sessions that are gone
	for _, x := range w.sessions {
		if x.model.Agent == model.Ready && !w.daemon.stage.alive(x.id) {
			if state := x.model.State(); len(x.readers) > 0 || !x.model.Parked() {
				w.wrong("an agent was stopped that was needed", "session %s, which is %s", x.id, state)
			}
			x.dormant = true
		}
	}
}

// sleep lets time pass, and stops wherever a model says that something happens, and often while agents are about to start.
func (w *world) sleep(d time.Duration) {
	for end := w.now() + d; w.now() < end; {
		next := end
		for _, x := range w.sessions {
			if due := x.model.Due(); due > 0 {
				next = min(next, due)
			} else if x.model.Agent == model.Starting {
				next = min(next, w.now()+time.Second/2)
			}
		}
		time.Sleep(next - w.now())
		synctest.Wait()
		w.settle()
	}
}

// expect compares an answer.
func (w *world) expect(got *reply, want *model.Answer) {
	if got.status == 0 {
		return // nobody asked
	}
	if code := got.code(); code != want.Code {
		w.wrong("another answer", "answered %q, the model says %q: %s", code, want.Code, got.body)
	}
	have := answerOf(got)
	if have != *want {
		w.wrong("another answer", "answered %+v, the model says %+v", have, *want)
	}
}

func (w *world) same(what string, got, want any) {
	if got != want {
		w.wrong("differs: "+what, "%s:\n%v\nthe model says:\n%v", what, got, want)
	}
}

func (w *world) get(path string, to any) {
	r := w.daemon.do(w.ctx, "GET", path, "")
	if r.status != 200 {
		w.wrong("cannot be read", "%s: %d %s", path, r.status, r.body)
	}
	if err := json.Unmarshal(r.body, to); err != nil {
		w.wrong("cannot be read", "%s: %v", path, err)
	}
}

// nextID is the id of a daemon's n-th session. The API that daemons share one after the other keeps what it has read of a session: no two have the same.
func (d *daemon) nextID(n int) string { return fmt.Sprintf("%08x-0000-4000-8000-%012d", d.life, n) }

func newWorld(t *rapid.T, d *daemon) *world {
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	w := &world{T: t, ctx: ctx, daemon: d, born: time.Now()}
	if err := d.start(); err != nil {
		t.Fatal(err)
	}
	return w
}

// close ends everything.
func (w *world) close() {
	w.daemon.disk.free()
	_ = w.daemon.drain()
	for _, x := range w.sessions {
		for _, r := range x.readers {
			r.leave()
		}
	}
	time.Sleep(2 * time.Minute) // virtual: timers that outlive their session, and a second of the engine's for the letters they send
}
