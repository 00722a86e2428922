package supervisor_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/scripted"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// daemon is a supervisor whose agents are goroutines of the test, in virtual time.
type daemon struct {
	*supervisor.Supervisor
	t    *testing.T
	cfg  supervisor.Config
	root string
}

func start(t *testing.T, data string, change func(*supervisor.Config)) *daemon {
	t.Helper()
	root := filepath.Join(data, "work")
	if err := os.MkdirAll(root, 0o700); err != nil {
		t.Fatal(err)
	}
	d := &daemon{t: t, root: root, cfg: config(data, root)}
	if change != nil {
		change(&d.cfg)
	}
	d.start()
	return d
}

func config(data, root string) supervisor.Config {
	n := 0
	return supervisor.Config{
		Data: filepath.Join(data, "data"), Roots: []string{root},
		Agents:    []adapters.Agent{agentIn(data)},
		Transport: scripted.Transport{Seed: 1, Sessions: scripted.Files{Dir: filepath.Join(data, "agent")}},
		NewID: func() string {
			n++
			return fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
		},
	}
}

func (d *daemon) start() {
	d.t.Helper()
	s, err := supervisor.Start(d.t.Context(), d.cfg)
	if err != nil {
		d.t.Fatal(err)
	}
	d.Supervisor = s
}

func (d *daemon) close() {
	d.t.Helper()
	if err := d.Close(context.WithoutCancel(d.t.Context())); err != nil {
		d.t.Error(err)
	}
	if n := d.Health().DeadLetters; n > 0 {
		d.t.Errorf("%d dead letters", n)
	}
	time.Sleep(2 * time.Second) // of the bubble: the engine's dead-letter throttle ends
}

// Look gives a summary once all is done: it may be behind what a stream has shown by the time that a message takes.
func (d *daemon) Look(ctx context.Context, id string) (session.Summary, error) {
	synctest.Wait()
	return d.Supervisor.Look(ctx, id)
}

// List is as late as Look.
func (d *daemon) List(ctx context.Context, q supervisor.Query) (supervisor.Page, error) {
	synctest.Wait()
	return d.Supervisor.List(ctx, q)
}

func (d *daemon) create() session.Summary {
	d.t.Helper()
	s, err := d.Create(d.t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: d.root})
	if err != nil {
		d.t.Fatal(err)
	}
	return s.Summary
}

func (d *daemon) find(id string) session.Ref {
	d.t.Helper()
	ref, err := d.Find(d.t.Context(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return ref
}

func (d *daemon) prompt(id, text string) session.Receipt {
	d.t.Helper()
	r, err := session.Ask(d.t.Context(), d.find(id), &session.SendPrompt{Prompt: session.NewPrompt{Text: text}})
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

// until reads the session's log until an event of the type comes after since, and returns its seq.
func (d *daemon) until(id string, since uint64, want protocol.Type) uint64 {
	d.t.Helper()
	r, err := ask.Ask(d.t.Context(), d.find(id), func(r ask.Reply[*session.Reader]) session.Message {
		return &session.Join{Reply: r, Name: "test"}
	})
	if err != nil {
		d.t.Fatal(err)
	}
	defer r.Leave()
	for {
		over := r.Ring.State() != ring.Open // before its last events are read
		for _, e := range d.log(r, since) {
			since = e.Seq
			if e.Payload.Type() == want {
				return since
			}
		}
		if over {
			d.t.Fatalf("the log ended without %s:\n%s", want, d.file(id))
		}
		if err := r.Ring.Wait(d.t.Context(), since); err != nil {
			d.t.Fatal(err)
		}
	}
}

func (d *daemon) log(r *session.Reader, since uint64) []protocol.Event {
	d.t.Helper()
	lines, err := store.LinesOf(r.Log, since, r.Ring.Head())
	if err != nil {
		d.t.Fatal(err)
	}
	defer lines.Close()
	var log []protocol.Event
	for lines.Next() {
		e, err := protocol.Decode(lines.Line())
		if err != nil {
			d.t.Fatal(err)
		}
		log = append(log, e)
	}
	if err := lines.Err(); err != nil {
		d.t.Fatal(err)
	}
	return log
}

// file is the session's journal as it lies on the disk.
func (d *daemon) file(id string) string {
	d.t.Helper()
	names, err := filepath.Glob(filepath.Join(d.cfg.Data, "sessions", id, "*.ndjson"))
	if err != nil {
		d.t.Fatal(err)
	}
	var b strings.Builder
	for _, n := range names {
		part, err := os.ReadFile(n)
		if err != nil {
			d.t.Fatal(err)
		}
		b.Write(part)
	}
	return b.String()
}

func code(err error) protocol.Code {
	var p *protocol.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

func TestTurnAndDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		s := d.create()
		r := d.prompt(s.ID, "hello there")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		d.close()
		log := d.file(s.ID)
		for _, want := range []string{`"status":"completed"`, "hello there", `"entryType":"thinking"`, `"entryType":"tool_call"`} {
			if !strings.Contains(log, want) {
				t.Errorf("the log has no %s", want)
			}
		}
		if strings.Contains(log, "session_end") {
			t.Error("the end of the daemon ended the session")
		}
	})
}

func TestSessionGoesOnAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		s := d.create()
		r := d.prompt(s.ID, "first")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		r = d.prompt(s.ID, "cut short")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeEntryDelta)
		d.close()
		before := d.file(s.ID)
		if !strings.Contains(before, `"status":"interrupted"`) {
			t.Fatalf("the running turn was not interrupted:\n%s", before)
		}
		d.start()
		defer d.close()
		page, err := d.List(t.Context(), supervisor.Query{})
		if err != nil || len(page.Sessions) != 1 || page.Sessions[0].Turns != 2 {
			t.Fatalf("%+v, %v", page, err)
		}
		if h := d.Health(); h.Live != 0 {
			t.Errorf("%d sessions were started that nobody asked for", h.Live)
		}
		r = d.prompt(s.ID, "second")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		if after := d.file(s.ID); !strings.HasPrefix(after, before) {
			t.Error("the log was rewritten")
		}
		sum, err := d.Look(t.Context(), s.ID)
		if err != nil || sum.Turns != 3 {
			t.Fatalf("%+v, %v", sum, err)
		}
	})
}

// TestKilledDaemon runs a second daemon on a copy of the first one's folder, taken in mid turn, which is what a kill leaves.
// Proves: T27
func TestKilledDaemon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		s := d.create()
		r := d.prompt(s.ID, "never finished")
		seen := d.until(s.ID, r.Cursor.Seq, protocol.TypeEntryDelta)
		d.prompt(s.ID, "still waiting")
		synctest.Wait()
		copied := t.TempDir()
		if err := os.CopyFS(copied, os.DirFS(filepath.Dir(d.cfg.Data))); err != nil {
			t.Fatal(err)
		}
		before := d.file(s.ID)
		d.close()

		again := start(t, copied, func(c *supervisor.Config) { c.Roots = append(c.Roots, d.root) })
		defer again.close()
		end := again.until(s.ID, seen, protocol.TypeTurnEnd)
		again.until(s.ID, end, protocol.TypeTurnEnd) // the prompt that waited
		after := again.file(s.ID)
		if !strings.HasPrefix(after, before) {
			t.Error("what was shown has changed")
		}
		for _, want := range []string{`"error":"daemon restarted"`, `"reason":"daemon restarted"`, `"incomplete":true`} {
			if !strings.Contains(after, want) {
				t.Errorf("the log has no %s", want)
			}
		}
	})
}

func TestTyped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		d := start(t, dir, func(c *supervisor.Config) { c.MaxSessions = 2 })
		defer d.close()
		outside := t.TempDir()
		if err := os.Symlink(outside, filepath.Join(d.root, "link")); err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // until the agent was looked for: what comes before waits for that, and is looked at once more
		beside := d.root + "-of-others"
		if err := os.Mkdir(beside, 0o700); err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct {
			n    supervisor.NewSession
			want protocol.Code
		}{
			"unknown agent":   {supervisor.NewSession{Agent: "nobody", Cwd: d.root}, protocol.CodeAgentNotFound},
			"outside":         {supervisor.NewSession{Agent: "scripted", Cwd: outside}, protocol.CodeCwdNotAllowed},
			"beside":          {supervisor.NewSession{Agent: "scripted", Cwd: beside}, protocol.CodeCwdNotAllowed},
			"outside by link": {supervisor.NewSession{Agent: "scripted", Cwd: filepath.Join(d.root, "link")}, protocol.CodeCwdNotAllowed},
			"outside by dots": {supervisor.NewSession{Agent: "scripted", Cwd: d.root + "/../../"}, protocol.CodeCwdNotAllowed},
			"model as a flag": {supervisor.NewSession{Agent: "scripted", Cwd: d.root, Model: "--session=x"}, protocol.CodeInvalidRequest},
			"relative":        {supervisor.NewSession{Agent: "scripted", Cwd: "work"}, protocol.CodeCwdNotAllowed},
			"not there":       {supervisor.NewSession{Agent: "scripted", Cwd: d.root + "/nothing"}, protocol.CodeInvalidRequest},
		} {
			_, err := d.Create(t.Context(), c.n)
			var p *protocol.Problem
			if code(err) != c.want || !errors.As(err, &p) || p.Hint == "" {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := d.Find(t.Context(), "00000000-0000-4000-8000-00000000abcd"); code(err) != protocol.CodeSessionNotFound {
			t.Errorf("unknown session: %v", err)
		}
		if _, err := supervisor.Start(t.Context(), d.cfg); code(err) != protocol.CodeConflict {
			t.Errorf("second daemon: %v", err)
		}
		d.create()
		d.create()
		if _, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted"}); code(err) != protocol.CodeOverloaded {
			t.Errorf("over the limit: %v", err)
		}
	})
}

func TestEndAndDelete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		defer d.close()
		s := d.create()
		r := d.prompt(s.ID, "hello")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeEntryDelta)
		if _, err := session.Ask(t.Context(), d.find(s.ID), &session.End{}); err != nil {
			t.Fatal(err)
		}
		if log := d.file(s.ID); !strings.HasSuffix(log, "\"type\":\"session_end\",\"reason\":\"terminated\"}\n") {
			t.Errorf("the log ends with %s", log[max(0, len(log)-300):])
		}
		synctest.Wait()
		if h := d.Health(); h.Agents != 0 {
			t.Errorf("%d agents are left", h.Agents)
		}
		other := d.create()
		for _, id := range []string{s.ID, other.ID} {
			if err := d.Delete(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(filepath.Join(d.cfg.Data, "sessions", id)); !os.IsNotExist(err) {
				t.Errorf("the folder is still there: %v", err)
			}
			if _, err := d.Look(t.Context(), id); code(err) != protocol.CodeSessionNotFound {
				t.Errorf("still listed: %v", err)
			}
		}
	})
}

func TestIdleSessionsBecomePassive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		defer d.close()
		s := d.create()
		r := d.prompt(s.ID, "hello")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		if h := d.Health(); h.Live != 0 || h.Agents != 0 {
			t.Fatalf("%+v", h)
		}
		before := d.file(s.ID)
		r = d.prompt(s.ID, "are you there")
		d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
		if after := d.file(s.ID); !strings.HasPrefix(after, before) || strings.Contains(after, "session_end") {
			t.Error("the session did not just go on")
		}
	})
}

func TestListPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		defer d.close()
		for range 7 {
			d.create()
			time.Sleep(time.Second)
		}
		var got []string
		q := supervisor.Query{Limit: 3}
		for {
			p, err := d.List(t.Context(), q)
			if err != nil || p.Total != 7 {
				t.Fatalf("%+v, %v", p, err)
			}
			for _, s := range p.Sessions {
				got = append(got, s.ID[len(s.ID)-1:])
			}
			if q.After = p.Next; q.After == "" {
				break
			}
		}
		if strings.Join(got, "") != "7654321" {
			t.Fatalf("%v", got)
		}
		if _, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: d.root, NativeSessionID: "own", Owner: "ann"}); err != nil {
			t.Fatal(err)
		}
		for native, want := range map[string]int{"own": 1, "ow": 0} {
			if p, err := d.List(t.Context(), supervisor.Query{Native: native, Owner: "ann", Limit: 1}); err != nil || p.Total != want {
				t.Fatalf("of %q there are %d, %v", native, p.Total, err)
			}
		}
		if _, err := d.List(t.Context(), supervisor.Query{After: "nonsense"}); code(err) != protocol.CodeInvalidRequest {
			t.Fatalf("%v", err)
		}
	})
}

// TestListKnowsTheNewestEvent: also what comes without a change of state, in the middle of a turn and after it.
func TestListKnowsTheNewestEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		defer d.close()
		s := d.create()
		d.prompt(s.ID, "hello there")
		for range 100 {
			time.Sleep(50 * time.Millisecond) // of the bubble
			synctest.Wait()
			desc, err := ask.Ask(t.Context(), d.find(s.ID), func(r ask.Reply[session.Description]) session.Message {
				return &session.Describe{Reply: r}
			})
			if err != nil {
				t.Fatal(err)
			}
			page, err := d.List(t.Context(), supervisor.Query{})
			if err != nil {
				t.Fatal(err)
			}
			if got := page.Sessions[0]; got.Seq != desc.Seq || !got.Updated.Equal(desc.Updated) {
				t.Fatalf("the session is at %d, %v, the list at %d, %v", desc.Seq, desc.Updated, got.Seq, got.Updated)
			}
		}
	})
}
