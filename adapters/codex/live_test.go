package codex_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// LiveEnv names a Codex to run the live tests with. It must be isolated and have a model that plays the scripts named in the
// prompts; without it the tests are skipped.
const LiveEnv = "RINGMASTER_LIVE_CODEX"

// live is a connection to a running Codex, driven as wire drives one that the test plays.
type live struct {
	*wire
	conn  adapters.Conn
	in    chan string
	fresh map[adapters.Lane]int // drafts that until has looked at
}

func liveSpec(t *testing.T) adapters.Spec {
	t.Helper()
	path := os.Getenv(LiveEnv)
	if path == "" {
		t.Skip(LiveEnv + " is not set")
	}
	t.Setenv(codex.ProgramEnv, path)
	found := codex.Agent{}.Find(t.Context())
	if !found.Tested {
		t.Fatalf("found %+v", found)
	}
	cwd := os.Getenv("AGENT_WS")
	if cwd == "" {
		cwd = t.TempDir()
	}
	return adapters.Spec{Program: found.Program, Version: found.Version, Cwd: cwd, Env: append(os.Environ(), "TMPDIR="+t.TempDir())} // what it leaves goes with the test
}

func connect(t *testing.T, spec adapters.Spec) *live {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	conn, err := codex.Agent{}.Connect(ctx, spec, process.Transport{})
	if err != nil {
		t.Fatal(err)
	}
	c := &live{wire: wireTo(t, spec), conn: conn, in: make(chan string), fresh: map[adapters.Lane]int{}}
	c.strict = true
	go func() { // ends with the connection, which end waits for
		defer close(c.in)
		r := bufio.NewReader(conn.Output())
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			c.in <- strings.TrimSpace(line)
		}
	}()
	c.do(func(out *adapters.Split) { c.s.Start(out) })
	c.flush()
	return c
}

// flush sends what is to be said.
func (c *live) flush() {
	c.t.Helper()
	for _, l := range c.lines {
		if _, err := io.WriteString(c.conn.Input(), l+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
	c.lines = nil
}

// until reads on until a lane says what is wanted. A draft is looked at once.
func (c *live) until(lane adapters.Lane, what string, is func(d adapters.Draft) bool) {
	c.t.Helper()
	late := time.After(60 * time.Second)
	for {
		c.flush()
		for c.fresh[lane] < len(c.lanes[lane].said) {
			c.fresh[lane]++
			if is(c.lanes[lane].said[c.fresh[lane]-1]) {
				return
			}
		}
		select {
		case line, more := <-c.in:
			if !more {
				c.t.Fatalf("the agent ended before %s; said:\n%s", what, c.all(lane))
			}
			c.agent(line)
		case <-late:
			c.t.Fatalf("no %s; said:\n%s", what, c.all(lane))
		}
	}
}

func (c *live) open(spec adapters.Spec) (lane adapters.Lane, thread string) {
	c.t.Helper()
	lane = c.join(spec)
	c.until(lane, "Ready", func(d adapters.Draft) bool {
		r, ok := d.(adapters.Ready)
		thread = r.NativeSessionID
		return ok
	})
	return lane, thread
}

func (c *live) tell(lane adapters.Lane, cmd adapters.Command) {
	c.t.Helper()
	c.command(lane, cmd)
	c.flush()
}

func (c *live) prompt(lane adapters.Lane, id, script string) {
	c.t.Helper()
	c.tell(lane, adapters.Prompt{ID: id, Text: "Go on. [[scn:" + script + "]]"})
}

func (c *live) turnEnd(lane adapters.Lane, status protocol.TurnStatus) (end adapters.TurnEnded) {
	c.t.Helper()
	c.until(lane, "end of the turn: "+string(status), func(d adapters.Draft) bool {
		e, ok := d.(adapters.TurnEnded)
		if ok {
			end = e
		}
		if ok && e.Status != status {
			c.t.Fatalf("got %+v, want %s; said:\n%s", e, status, c.all(lane))
		}
		return ok
	})
	return end
}

func (c *live) request(lane adapters.Lane) (r adapters.RequestOpened) {
	c.t.Helper()
	c.until(lane, "a request", func(d adapters.Draft) bool {
		o, ok := d.(adapters.RequestOpened)
		if ok {
			r = o
		}
		return ok
	})
	return r
}

func (c *live) text(lane adapters.Lane) {
	c.t.Helper()
	c.until(lane, "text", func(d adapters.Draft) bool {
		e, ok := d.(adapters.EntryChanged)
		if !ok {
			return false
		}
		_, ok = e.Delta.(*protocol.TextAppend)
		return ok
	})
}

func (c *live) tool(lane adapters.Lane, status protocol.ToolStatus) {
	c.t.Helper()
	c.until(lane, "a finished call", func(d adapters.Draft) bool {
		e, ok := d.(adapters.EntryClosed)
		if !ok {
			return false
		}
		call, ok := e.Data.(*protocol.ToolCallData)
		if ok && call.Status != status {
			c.t.Fatalf("got %+v, want %s", call, status)
		}
		return ok
	})
}

// end stops the connection and waits for it.
func (c *live) end(grace time.Duration) adapters.Exit {
	c.t.Helper()
	c.conn.Stop(grace)
	for line := range c.in {
		c.agent(line)
	}
	return c.conn.Wait()
}

// course plays the story that every way to connect must allow; it returns the thread.
func (c *live) course(spec adapters.Spec) string {
	c.t.Helper()
	a, thread := c.open(spec)
	c.until(a, "an offer", func(d adapters.Draft) bool {
		o, ok := d.(adapters.Offered)
		return ok && len(o.Models) > 0 && len(o.Modes) > 0
	})
	c.prompt(a, "1", "plain#"+thread)
	c.until(a, "usage", func(d adapters.Draft) bool { _, ok := d.(adapters.Used); return ok })
	c.turnEnd(a, protocol.TurnCompleted)

	c.prompt(a, "2", "interrupt-text#"+thread)
	c.text(a)
	c.tell(a, adapters.Interrupt{})
	c.turnEnd(a, protocol.TurnInterrupted)

	c.prompt(a, "3", "plain#"+thread)
	c.tell(a, adapters.Interrupt{}) // before the turn is known
	c.turnEnd(a, protocol.TurnInterrupted)
	return thread
}

func TestLive(t *testing.T) {
	spec := liveSpec(t)
	c := connect(t, spec)
	thread := c.course(spec)

	// A second thread in the same process; the first one's lines stay its own.
	b, other := c.open(spec)
	if other == thread {
		t.Fatal("the same thread twice")
	}
	c.tell(1, adapters.Prompt{ID: "x", Text: "Go on. [[scn:two-threads#1]]"})
	c.tell(b, adapters.Prompt{ID: "y", Text: "Go on. [[scn:two-threads#2]]"})
	c.turnEnd(1, protocol.TurnCompleted)
	c.turnEnd(b, protocol.TurnCompleted)

	// Approvals.
	c.prompt(b, "4", "approval-exec#allow")
	r := c.request(b)
	if r.Entry == 0 || r.Request.ToolKind != protocol.ToolExecute || !strings.Contains(r.Request.Subject, "touch") {
		t.Errorf("got %+v", r)
	}
	c.tell(b, adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce})
	c.tool(b, protocol.ToolCompleted)
	c.turnEnd(b, protocol.TurnCompleted)

	c.prompt(b, "5", "approval-exec#deny")
	c.tell(b, adapters.Answer{Key: c.request(b).Key, Outcome: protocol.OutcomeDenied, Option: protocol.DenyContinue})
	c.tool(b, protocol.ToolError)
	c.turnEnd(b, protocol.TurnCompleted)

	c.prompt(b, "6", "approval-exec#stop")
	c.tell(b, adapters.Answer{Key: c.request(b).Key, Outcome: protocol.OutcomeDenied, Option: protocol.DenyStop})
	c.turnEnd(b, protocol.TurnInterrupted)

	// Steering, and one that comes too late.
	c.prompt(b, "7", "steer-text#1")
	c.text(b)
	c.tell(b, adapters.Prompt{ID: "8", Text: "Mountains, please.", Steer: true})
	c.until(b, "an answer to the steer", func(d adapters.Draft) bool {
		p, ok := d.(adapters.PromptAnswered)
		if ok && p.ID == "8" && p.Result != adapters.PromptHandled {
			t.Errorf("got %+v", p)
		}
		return ok && p.ID == "8"
	})
	c.turnEnd(b, protocol.TurnCompleted)
	c.tell(b, adapters.Prompt{ID: "9", Text: "Late. [[scn:plain#late]]", Steer: true})
	c.turnEnd(b, protocol.TurnCompleted)

	// Settings.
	c.tell(b, adapters.SetModel{ID: "m", Model: "gpt-5.6-luna"})
	c.until(b, "the model", func(d adapters.Draft) bool {
		m, ok := d.(adapters.MetaChanged)
		return ok && m.Meta.Model != nil && *m.Meta.Model == "gpt-5.6-luna"
	})
	for _, mode := range []string{"plan", "read-only", "full-access"} {
		c.tell(b, adapters.SetMode{ID: mode, Mode: mode})
		c.until(b, "mode "+mode, func(d adapters.Draft) bool {
			m, ok := d.(adapters.MetaChanged)
			return ok && m.Meta.Mode != nil && *m.Meta.Mode == mode
		})
	}

	// A command that is interrupted outlives its turn for a moment, and is ended.
	c.prompt(1, "10", "interrupt-tool#1")
	c.text(1)
	c.tell(1, adapters.Interrupt{})
	if end := c.turnEnd(1, protocol.TurnInterrupted); len(end.Running) != 1 {
		t.Errorf("got %+v", end)
	}
	c.tool(1, protocol.ToolError)
	c.do(func(out *adapters.Split) { c.s.Leave(1, out) })
	c.flush()
	c.prompt(b, "11", "plain#after")
	c.turnEnd(b, protocol.TurnCompleted)
	if n := ticking(t); n != 0 {
		t.Errorf("%d commands are left", n)
	}
	if exit := c.end(5 * time.Second); !exit.Clean() || !exit.Requested {
		t.Errorf("got %+v", exit)
	}
}

// ticking counts the processes of the script that runs for long.
func ticking(t *testing.T) (n int) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if raw, err := os.ReadFile(f); err == nil && strings.Contains(string(raw), "echo tick $i") && !strings.Contains(string(raw), "codex") {
			n++
		}
	}
	return n
}

// TestLiveResume kills the agent in the middle of an answer and of a command, and goes on with the thread.
func TestLiveResume(t *testing.T) {
	spec := liveSpec(t)
	var known []string
	for i, script := range []string{"interrupt-text", "interrupt-tool", "plain"} {
		c := connect(t, spec)
		a, thread := c.open(spec)
		if i > 0 && thread != spec.NativeSessionID {
			t.Errorf("went on with %s, not %s", thread, spec.NativeSessionID)
		}
		for _, d := range c.lanes[a].said {
			if e, ok := d.(adapters.EntryOpened); ok {
				t.Errorf("told again: %+v", e)
			}
		}
		c.prompt(a, fmt.Sprint("p", i), fmt.Sprintf("%s#r%d%s", script, i, thread))
		if script == "plain" {
			c.turnEnd(a, protocol.TurnCompleted)
		} else {
			c.text(a)
			p, _ := c.conn.Process()
			if err := syscall.Kill(p.PID, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			for line := range c.in {
				c.agent(line)
			}
		}
		for _, d := range c.lanes[a].said {
			if e, ok := d.(adapters.EntryOpened); ok && e.PersistentID != "" {
				known = append(known, e.PersistentID)
			}
		}
		c.end(0)
		spec.Resume, spec.NativeSessionID, spec.Known = true, thread, known
	}
}

// TestLiveSubAgent has a helper at work, whose lines are its own; a picture goes to the agent and comes back by its name.
func TestLiveSubAgent(t *testing.T) {
	spec := liveSpec(t)
	spec.Model = "gpt-6.1-sol"
	c := connect(t, spec)
	a, _ := c.open(spec)
	dot := adapters.Image{Ref: "sha256:00;image/gif", MediaType: "image/gif", Data: []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")}
	c.tell(a, adapters.Prompt{ID: "1", Text: "Go on. [[scn:subagent]]", Images: []adapters.Image{dot}})
	c.until(a, "the picture", func(d adapters.Draft) bool {
		e, ok := d.(adapters.EntryOpened)
		if !ok {
			return false
		}
		m, ok := e.Data.(*protocol.MessageData)
		return ok && len(m.Images) == 1 && m.Images[0] == dot.Ref
	})
	c.until(a, "the helper", func(d adapters.Draft) bool { _, ok := d.(adapters.ChildBegan); return ok })
	c.turnEnd(a, protocol.TurnCompleted)
	if b := c.births[2]; b.Parent != a {
		t.Fatalf("births: %+v", c.births)
	}
	if got := c.all(2); !strings.Contains(got, "turn began") || !strings.Contains(got, "assistant_message") {
		t.Errorf("the helper said %s", got)
	}
	c.end(5 * time.Second)
}

// TestLiveAttached plays the story over a server that runs already, which goes on when its client has gone, and so does a turn.
func TestLiveAttached(t *testing.T) {
	for _, scheme := range []string{"ws", "unix"} {
		t.Run(scheme, func(t *testing.T) {
			spec := liveSpec(t)
			address := "unix://" + filepath.Join(t.TempDir(), "s")
			if scheme == "ws" {
				address = "ws://" + freeAddress(t)
			}
			serveAt(t, spec, address)
			spec.Endpoint = &adapters.Endpoint{URL: address}
			c := connect(t, spec)
			spec.NativeSessionID = c.course(spec)
			c.prompt(1, "4", "long-stream#"+spec.NativeSessionID)
			c.text(1)
			spec.Resume = true
			for _, d := range c.lanes[1].said {
				if e, ok := d.(adapters.EntryOpened); ok && e.PersistentID != "" {
					spec.Known = append(spec.Known, e.PersistentID)
				}
			}
			if exit := c.end(5 * time.Second); !exit.Clean() || !exit.Requested {
				t.Errorf("got %+v", exit)
			}
			c = connect(t, spec) // into the running turn, or what has become of it
			a, _ := c.open(spec)
			whole := func(d adapters.Draft) bool {
				e, ok := d.(adapters.EntryClosed)
				if !ok {
					return false
				}
				m, ok := e.Data.(*protocol.MessageData)
				return ok && strings.HasSuffix(m.Text, "That is all.") && strings.HasPrefix(m.Text, "The river bends")
			}
			c.fresh[a] = 0
			c.until(a, "the whole answer", whole)
			c.prompt(a, "5", "plain#again"+scheme)
			c.turnEnd(a, protocol.TurnCompleted)
			c.end(5 * time.Second)
			await(t, address) // it still listens
		})
	}
}

// serveAt starts a server, which the end of the test ends.
func serveAt(t *testing.T, spec adapters.Spec, address string) {
	t.Helper()
	server := exec.Command(spec.Program, "app-server", "--listen", address)
	server.Dir, server.Env, server.Stderr = spec.Cwd, spec.Env, os.Stderr
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait()
	})
	await(t, address)
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// await waits until somebody listens at an address.
func await(t *testing.T, address string) {
	t.Helper()
	network, where, _ := strings.Cut(address, "://")
	if network == "ws" {
		network = "tcp"
	}
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	late := time.After(20 * time.Second)
	for {
		if conn, err := net.Dial(network, where); err == nil {
			_ = conn.Close()
			if network != "tcp" {
				return
			}
			if answer, err := http.Get("http://" + where + "/readyz"); err == nil {
				_ = answer.Body.Close()
				return
			}
		}
		select {
		case <-ticker.C:
		case <-late:
			t.Fatal("the server does not listen")
		}
	}
}
