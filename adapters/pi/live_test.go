package pi_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// LiveEnv names a Pi to run the live tests with. It must be isolated and have a model that plays the scripts inside the
// prompts; without it the tests are skipped.
const LiveEnv = "RINGMASTER_LIVE_PI"

// live is a running Pi with its translator.
type live struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan []byte
	tr    adapters.Translator
	l     conformance.Ledger
	said  []adapters.Draft
	seen  int // of said, by until
}

func start(t *testing.T, spec adapters.Spec) *live {
	t.Helper()
	launch := pi.Agent{}.Launch(spec)
	c := &live{t: t, cmd: exec.Command(launch.Path, launch.Args...), lines: make(chan []byte), tr: pi.Agent{}.Translator(spec)}
	c.cmd.Dir, c.cmd.Stderr = launch.Dir, os.Stderr
	c.cmd.Env = append(launch.Env, "TMPDIR="+t.TempDir()) // node keeps what it compiles
	out, err := c.cmd.StdoutPipe()
	if err == nil {
		c.in, err = c.cmd.StdinPipe()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() { // ends with the process, which end waits for
		defer close(c.lines)
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			c.lines <- line
		}
	}()
	c.do(c.tr.Start)
	return c
}

func (c *live) do(call func(out *adapters.Output)) {
	c.t.Helper()
	var out adapters.Output
	call(&out)
	for _, d := range out.Drafts {
		if problem := c.l.Take(d); problem != "" {
			c.t.Fatalf("%s: %s", conformance.Describe(d), problem)
		}
		c.said = append(c.said, d)
	}
	for _, line := range out.Lines {
		if _, err := c.in.Write(append(line, '\n')); err != nil {
			c.t.Fatal(err)
		}
	}
}

// until reads on until a draft is as wanted. A draft is looked at once.
func (c *live) until(what string, ok func(d adapters.Draft) bool) {
	c.t.Helper()
	late := time.After(60 * time.Second)
	for {
		for c.seen < len(c.said) {
			c.seen++
			if ok(c.said[c.seen-1]) {
				return
			}
		}
		select {
		case line, more := <-c.lines:
			if !more {
				c.t.Fatalf("the agent ended before %s; said:\n%s", what, c.all())
			}
			c.do(func(out *adapters.Output) { c.tr.Line(line, out) })
		case <-late:
			c.t.Fatalf("no %s; said:\n%s", what, c.all())
		}
	}
}

func (c *live) all() string {
	var b strings.Builder
	for _, d := range c.said {
		b.WriteString(conformance.Describe(d) + "\n")
	}
	return b.String()
}

func (c *live) command(cmd adapters.Command) {
	c.t.Helper()
	c.do(func(out *adapters.Output) { c.tr.Command(cmd, out) })
}

func (c *live) prompt(id, text, script string) {
	c.t.Helper()
	c.command(adapters.Prompt{ID: id, Text: text + "\n```fakellm\n" + script + "\n```\n"})
}

func (c *live) turnEnd(status protocol.TurnStatus) {
	c.t.Helper()
	c.until("end of the turn: "+string(status), func(d adapters.Draft) bool {
		end, ok := d.(adapters.TurnEnded)
		if ok && end.Status != status {
			c.t.Fatalf("got %+v, want %s; said:\n%s", end, status, c.all())
		}
		return ok
	})
}

func (c *live) bound(key adapters.EntryKey) {
	c.t.Helper()
	is := func(d adapters.Draft) bool { b, ok := d.(adapters.EntryBound); return ok && b.Key == key }
	if !slices.ContainsFunc(c.said, is) {
		c.until("persistent id", is)
	}
}

// end closes the input and waits.
func (c *live) end() {
	c.t.Helper()
	if err := c.in.Close(); err != nil {
		c.t.Error(err)
	}
	for line := range c.lines {
		c.do(func(out *adapters.Output) { c.tr.Line(line, out) })
	}
	if err := c.cmd.Wait(); err != nil {
		c.t.Error(err)
	}
	c.do(func(out *adapters.Output) { c.tr.Exit(adapters.Exit{}, out) })
}

func isRunning(d adapters.Draft) bool {
	c, ok := d.(adapters.EntryChanged)
	if !ok {
		return false
	}
	s, ok := c.Delta.(*protocol.StatusChange)
	return ok && s.Status == protocol.ToolRunning
}

func TestLive(t *testing.T) {
	program := os.Getenv(LiveEnv)
	if program == "" {
		t.Skip(LiveEnv + " is not set")
	}
	t.Setenv(pi.ProgramEnv, program)
	found := pi.Agent{}.Find(t.Context())
	if !found.Tested {
		t.Fatalf("found %+v", found)
	}
	old := strings.HasPrefix(found.Version, "0.")
	spec := adapters.Spec{
		SessionID: "77777777-7777-4777-8777-777777777777", Program: found.Program, Version: found.Version, Cwd: t.TempDir(),
		Env: os.Environ(), Model: "fake/fake-1",
	}
	c := start(t, spec)
	c.until("Ready", func(d adapters.Draft) bool {
		r, ok := d.(adapters.Ready)
		spec.NativeSessionID = r.NativeSessionID
		return ok
	})
	if !old && spec.NativeSessionID != spec.SessionID {
		t.Errorf("the session is %q", spec.NativeSessionID)
	}

	c.prompt("1", "Say hello.", `{"text":"Hello."}`)
	c.turnEnd(protocol.TurnCompleted)
	if !old {
		c.bound(1)
		c.bound(2)
	}

	c.prompt("2", "Wait.", `[{"steps":[{"tool":{"id":"call_1","name":"bash","args":{"command":"echo begun; sleep 60"}}}]},{"text":"No."}]`)
	c.until("a running tool", isRunning)
	c.command(adapters.Prompt{ID: "3", Text: "Also this", Steer: true})
	c.until("a queued prompt", func(d adapters.Draft) bool {
		a, ok := d.(adapters.PromptAnswered)
		if ok && a.ID == "3" && a.Result != adapters.PromptQueued {
			t.Errorf("got %+v", a)
		}
		return ok && a.ID == "3"
	})
	c.command(adapters.Interrupt{})
	c.turnEnd(protocol.TurnInterrupted)

	// A steer that comes too late starts a run of its own.
	c.command(adapters.Prompt{ID: "4", Text: "Late\n```fakellm\n{\"text\":\"Here.\"}\n```\n", Steer: true})
	c.turnEnd(protocol.TurnCompleted)
	c.end()

	spec.Resume = true
	c = start(t, spec)
	c.until("Ready", func(d adapters.Draft) bool {
		r, ok := d.(adapters.Ready)
		if ok && r.NativeSessionID != spec.NativeSessionID {
			t.Errorf("went on with %q, not %q", r.NativeSessionID, spec.NativeSessionID)
		}
		return ok
	})
	c.prompt("5", "Again.", `[{"steps":[{"text":"x"},{"tool":{"id":"call_2","name":"read","args":{"path":"none"}}}]},{"text":"Done."}]`)
	c.turnEnd(protocol.TurnCompleted)
	if !old {
		c.bound(4)
	}
	c.prompt("6", "Fail.", `{"http":{"status":400,"body":"{\"error\":{\"message\":\"no\"}}"}}`)
	c.turnEnd(protocol.TurnError)
	c.end()
}

// gate is an extension that asks before bash runs, as operators use it.
const gate = `export default function (pi) {
  pi.on("tool_call", async (event, ctx) => {
    const ok = await ctx.ui.confirm("approve:" + event.toolCallId,
      JSON.stringify({ toolCallId: event.toolCallId, toolName: event.toolName, input: event.input }));
    return ok ? undefined : { block: true, reason: "not allowed" };
  });
}
`

func TestLiveApproval(t *testing.T) {
	program := os.Getenv(LiveEnv)
	if program == "" {
		t.Skip(LiveEnv + " is not set")
	}
	t.Setenv(pi.ProgramEnv, program)
	found := pi.Agent{}.Find(t.Context())
	extension := t.TempDir() + "/gate.js"
	if err := os.WriteFile(extension, []byte(gate), 0o600); err != nil {
		t.Fatal(err)
	}
	c := start(t, adapters.Spec{
		SessionID: "88888888-8888-4888-8888-888888888888", Program: found.Program, Version: found.Version, Cwd: t.TempDir(),
		Env: os.Environ(), Args: []string{"-e", extension},
	})
	c.until("Ready", func(d adapters.Draft) bool { _, ok := d.(adapters.Ready); return ok })
	asked := func() (r adapters.RequestOpened) {
		t.Helper()
		c.until("a request", func(d adapters.Draft) bool {
			o, ok := d.(adapters.RequestOpened)
			if ok {
				r = o
			}
			return ok
		})
		return r
	}
	closed := func(want protocol.ToolStatus) {
		t.Helper()
		c.until("a closed tool call", func(d adapters.Draft) bool {
			e, ok := d.(adapters.EntryClosed)
			if !ok {
				return false
			}
			call, ok := e.Data.(*protocol.ToolCallData)
			if ok && call.Status != want {
				t.Errorf("got %+v, want %s", call, want)
			}
			return ok
		})
	}
	one := `{"steps":[{"tool":{"id":"call_1","name":"bash","args":{"command":"echo one"}}}]}`
	c.prompt("1", "Allow", "["+one+`,{"text":"Done."}]`)
	r := asked()
	if r.Entry == 0 || r.Request.ToolName != "bash" || r.Request.Text != "echo one" {
		t.Errorf("got %+v", r)
	}
	c.command(adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeAllowed})
	closed(protocol.ToolCompleted)
	c.turnEnd(protocol.TurnCompleted)

	c.prompt("2", "Deny", "["+one+`,{"text":"Done."}]`)
	c.command(adapters.Answer{Key: asked().Key, Outcome: protocol.OutcomeDenied})
	closed(protocol.ToolError)
	c.turnEnd(protocol.TurnCompleted)

	// Two calls, whose dialogs come one after the other: the interrupt gets past both.
	c.prompt("3", "Stop", `[{"steps":[{"tool":{"id":"call_2","name":"bash","args":{"command":"echo two"}}},`+
		`{"tool":{"id":"call_3","name":"bash","args":{"command":"echo three"}}}]},{"text":"Done."}]`)
	asked()
	c.command(adapters.Interrupt{})
	c.turnEnd(protocol.TurnInterrupted)
	c.end()
}
