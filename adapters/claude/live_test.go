package claude_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// LiveEnv names a Claude Code to run the live tests with. It must be isolated, and FAKELLM the host and port of its model,
// which takes scripts; without it the tests are skipped.
const LiveEnv = "RINGMASTER_LIVE_CLAUDE"

// live is a running Claude Code with its splitter and translators.
type live struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan []byte
	split adapters.Splitter
	lanes map[adapters.Lane]*lane
	root  *lane
	n     int // prompts
}

// lane is one session of it.
type lane struct {
	c    *live
	id   adapters.Lane
	spec adapters.Spec
	tr   adapters.Translator
	l    conformance.Ledger
	said []adapters.Draft
	seen int // of said, by until
	over bool
}

func program(t *testing.T) adapters.Installation {
	t.Helper()
	name := os.Getenv(LiveEnv)
	if name == "" {
		t.Skip(LiveEnv + " is not set")
	}
	t.Setenv(claude.ProgramEnv, name)
	found := claude.Agent{}.Find(t.Context())
	if !found.Tested {
		t.Fatalf("found %+v", found)
	}
	return found
}

func start(t *testing.T, spec adapters.Spec) *live {
	t.Helper()
	launch := claude.Agent{}.Launch(spec)
	c := &live{
		t: t, cmd: exec.Command(launch.Path, launch.Args...), lines: make(chan []byte),
		split: claude.Agent{}.Splitter(spec), lanes: map[adapters.Lane]*lane{},
	}
	c.cmd.Dir, c.cmd.Env, c.cmd.Stderr = launch.Dir, launch.Env, os.Stderr
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
			c.lines <- bytes.TrimSuffix(line, []byte("\n"))
		}
	}()
	var s adapters.Split
	c.split.Start(&s)
	id := c.split.Join(spec, &s)
	c.root = c.begin(id, spec)
	c.take(&s)
	return c
}

func (c *live) begin(id adapters.Lane, spec adapters.Spec) *lane {
	l := &lane{c: c, id: id, spec: spec, tr: claude.Agent{}.Translator(spec)}
	c.lanes[id] = l
	l.do(l.tr.Start)
	return l
}

// take carries out what the splitter says.
func (c *live) take(s *adapters.Split) {
	c.t.Helper()
	for _, line := range s.Lines {
		if _, err := c.in.Write(append(line, '\n')); err != nil {
			c.t.Fatal(err)
		}
	}
	for _, p := range s.Parts {
		l := c.lanes[p.Lane]
		switch {
		case p.Born != nil:
			c.begin(p.Lane, adapters.Spec{SessionID: "child", NativeSessionID: p.Born.NativeID, Child: true})
		case p.Over:
			l.do(func(out *adapters.Output) { l.tr.Exit(adapters.Exit{}, out) })
			l.over = true
		case l.over:
			c.t.Fatalf("a line for lane %d, which is over: %s", p.Lane, p.Line)
		default:
			l.do(func(out *adapters.Output) { l.tr.Line(p.Line, out) })
		}
	}
}

func (l *lane) do(call func(out *adapters.Output)) {
	c := l.c
	c.t.Helper()
	var out adapters.Output
	call(&out)
	for _, d := range out.Drafts {
		if problem := l.l.Take(d); problem != "" {
			c.t.Fatalf("lane %d: %s: %s", l.id, conformance.Describe(d), problem)
		}
		l.said = append(l.said, d)
	}
	for _, line := range out.Lines {
		var s adapters.Split
		c.split.Say(l.id, line, &s)
		c.take(&s)
	}
}

// read takes the next line of the agent; false: there is none.
func (c *live) read(late <-chan time.Time, what string) bool {
	c.t.Helper()
	select {
	case line, more := <-c.lines:
		if more {
			var s adapters.Split
			c.split.Line(line, &s)
			c.take(&s)
		}
		return more
	case <-late:
		c.t.Fatalf("no %s; said:\n%s", what, c.all())
	}
	return false
}

// until reads on until a draft is as wanted. A draft is looked at once.
func (l *lane) until(what string, ok func(d adapters.Draft) bool) {
	c := l.c
	c.t.Helper()
	late := time.After(60 * time.Second)
	for {
		for l.seen < len(l.said) {
			l.seen++
			if ok(l.said[l.seen-1]) {
				return
			}
		}
		if !c.read(late, what) {
			c.t.Fatalf("the agent ended before %s; said:\n%s", what, c.all())
		}
	}
}

func (c *live) all() string {
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(c.lanes)) {
		for _, d := range c.lanes[id].said {
			fmt.Fprintf(&b, "%d: %s\n", id, conformance.Describe(d))
		}
	}
	return b.String()
}

func (l *lane) command(cmd adapters.Command) {
	l.c.t.Helper()
	l.do(func(out *adapters.Output) { l.tr.Command(cmd, out) })
}

func (l *lane) ready() adapters.Ready {
	l.c.t.Helper()
	return until[adapters.Ready](l, "Ready", nil)
}

// until waits for a draft of a type, that ok likes where it is given.
func until[D adapters.Draft](l *lane, what string, ok func(D) bool) (found D) {
	l.c.t.Helper()
	l.until(what, func(d adapters.Draft) bool {
		x, is := d.(D)
		if is && (ok == nil || ok(x)) {
			found = x
			return true
		}
		return false
	})
	return found
}

func (l *lane) turnEnd(status protocol.TurnStatus) adapters.TurnEnded {
	l.c.t.Helper()
	end := until[adapters.TurnEnded](l, "end of the turn: "+string(status), nil)
	if end.Status != status {
		l.c.t.Fatalf("got %+v, want %s; said:\n%s", end, status, l.c.all())
	}
	return end
}

// request waits for a request, and checks that it is about an open call.
func (l *lane) request(kind protocol.RequestKind) adapters.RequestOpened {
	l.c.t.Helper()
	r := until[adapters.RequestOpened](l, "a request", nil)
	if r.Request.Kind != kind || r.Entry == 0 {
		l.c.t.Fatalf("got %+v", r)
	}
	return r
}

// call waits for the end of a tool call.
func (l *lane) call(status protocol.ToolStatus) *protocol.ToolCallData {
	l.c.t.Helper()
	var call *protocol.ToolCallData
	until(l, "a closed tool call", func(e adapters.EntryClosed) (is bool) {
		call, is = e.Data.(*protocol.ToolCallData)
		return is
	})
	if call.Status != status {
		l.c.t.Fatalf("got %+v, want %s", call, status)
	}
	return call
}

func (l *lane) answered(result adapters.PromptResult, id string) {
	l.c.t.Helper()
	until(l, "an answer to prompt "+id, func(a adapters.PromptAnswered) bool { return a.ID == id && a.Result == result })
}

// prompt sends a prompt whose answers are the steps of a script, and gives its id.
func (c *live) prompt(p adapters.Prompt, steps ...string) string {
	c.t.Helper()
	c.n++
	p.ID = fmt.Sprintf("p%d", c.n)
	if len(steps) > 0 {
		name := fmt.Sprintf("%s-%d", strings.ReplaceAll(c.t.Name(), "/", "-"), c.n)
		script(c.t, name, steps)
		p.Text += " [[scn:" + name + "]]"
	}
	c.root.command(p)
	return p.ID
}

// script gives the model the answers of a prompt: each step is the actions of one.
func script(t *testing.T, name string, steps []string) {
	t.Helper()
	body := `{"name":"` + name + `","steps":[{"actions":[` + strings.Join(steps, `]},{"actions":[`) + `]}]}`
	res, err := http.Post("http://"+os.Getenv("FAKELLM")+"/_ctl/scenario", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		said, _ := io.ReadAll(res.Body)
		t.Fatalf("script: %s %s\n%s", res.Status, said, body)
	}
}

func text(s string) string { return `{"type":"text","chunk":7,"text":` + quoted(s) + `}` }

func slow(s string) string { return `{"type":"text","chunk":5,"delay_ms":50,"text":` + quoted(s) + `}` }

func quoted(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

func call(tool, input string) string {
	return `{"type":"tool_call","name":"` + tool + `","arguments":` + input + `}`
}

func bash(command string) string {
	return call("Bash", `{"command":`+quoted(command)+`,"description":"x"}`)
}

// end closes the input and waits. Claude Code exits with 1 where the last turn failed.
func (c *live) end(code int) {
	c.t.Helper()
	if err := c.in.Close(); err != nil {
		c.t.Error(err)
	}
	late := time.After(60 * time.Second)
	for c.read(late, "end") {
	}
	if err := c.cmd.Wait(); c.cmd.ProcessState.ExitCode() != code {
		c.t.Errorf("ended with %v, want %d", err, code)
	}
}

func (c *live) kill() {
	c.t.Helper()
	if err := c.cmd.Process.Kill(); err != nil {
		c.t.Fatal(err)
	}
	late := time.After(60 * time.Second)
	for c.read(late, "end") {
	}
	_ = c.cmd.Wait() // it was killed
}

func newSpec(t *testing.T, id string) adapters.Spec {
	t.Helper()
	found := program(t)
	return adapters.Spec{
		SessionID: fmt.Sprintf("%s-%04d-4777-8777-777777777777", id, os.Getpid()%10000), Program: found.Program, Version: found.Version,
		Cwd: t.TempDir(), Env: append(os.Environ(), "TMPDIR="+t.TempDir()), Model: "claude-sonnet-4-5",
	}
}

func userText(want string) func(adapters.EntryClosed) bool {
	return func(e adapters.EntryClosed) bool {
		m, ok := e.Data.(*protocol.MessageData)
		return ok && m.Role == "user" && strings.HasPrefix(m.Text, want)
	}
}

func running(e adapters.EntryChanged) bool {
	s, ok := e.Delta.(*protocol.StatusChange)
	return ok && s.Status == protocol.ToolRunning
}
