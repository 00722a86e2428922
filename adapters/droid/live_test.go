package droid_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/droid"
	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// LiveEnv names a Droid to run the live tests with, and LiveModelEnv the address of the scripted model that it is set up for as
// custom:fake-model-0 and custom:other-model-1. Without them the tests are skipped.
const (
	LiveEnv      = "RINGMASTER_LIVE_DROID"
	LiveModelEnv = "FAKELLM"
)

// live is a running Droid with its translator.
type live struct {
	t     *testing.T
	conn  adapters.Conn
	lines chan string // closed when the output has ended
	tr    adapters.Translator
	l     conformance.Ledger
	said  []adapters.Draft
	seen  int // of said, by until
	ready adapters.Ready
}

// liveSpec is a session of the Droid to test; it skips the test where there is none.
func liveSpec(t *testing.T) adapters.Spec {
	t.Helper()
	program := os.Getenv(LiveEnv)
	if program == "" {
		t.Skip(LiveEnv + " is not set")
	}
	t.Setenv(droid.ProgramEnv, program)
	found := droid.Agent{}.Find(t.Context())
	if !found.Tested {
		t.Fatalf("found %+v", found)
	}
	return adapters.Spec{
		SessionID: "77777777-7777-4777-8777-777777777777", Program: found.Program, Version: found.Version, Cwd: t.TempDir(),
		Env: os.Environ(), Model: "custom:fake-model-0",
	}
}

// start starts Droid, without waiting for it to be ready.
func start(t *testing.T, spec adapters.Spec) *live {
	t.Helper()
	conn, err := process.Transport{}.Start(t.Context(), droid.Agent{}.Launch(spec))
	if err != nil {
		t.Fatal(err)
	}
	c := &live{t: t, conn: conn, lines: make(chan string, 1000), tr: droid.Agent{}.Translator(spec)}
	go func() { // ends with the process, which end waits for
		defer close(c.lines)
		frames := process.NewFramer(conn.Output(), 64<<20)
		for {
			f, err := frames.Next()
			if err != nil {
				return
			}
			c.lines <- string(f.Line)
		}
	}()
	c.do(c.tr.Start)
	return c
}

// begin starts Droid and waits for it.
func begin(t *testing.T, spec adapters.Spec) *live {
	t.Helper()
	c := start(t, spec)
	c.ready = expect[adapters.Ready](c, "Ready")
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
		if _, err := c.conn.Input().Write(append(line, '\n')); err != nil {
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
			c.do(func(out *adapters.Output) { c.tr.Line([]byte(line), out) })
		case <-late:
			c.t.Fatalf("no %s; said:\n%s", what, c.all())
		}
	}
}

// expect waits for the next draft of a type.
func expect[D adapters.Draft](c *live, what string) (found D) {
	c.t.Helper()
	c.until(what, func(d adapters.Draft) bool {
		x, ok := d.(D)
		if ok {
			found = x
		}
		return ok
	})
	return found
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

// script gives the model a script, and the tag that begins it.
func script(t *testing.T, name string, steps ...string) string {
	t.Helper()
	var list []json.RawMessage
	for _, s := range steps {
		list = append(list, json.RawMessage(`{"actions":[`+s+`]}`))
	}
	body, err := json.Marshal(map[string]any{"name": name, "steps": list})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post("http://"+os.Getenv(LiveModelEnv)+"/_ctl/scenario", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		t.Fatal(answer.Status)
	}
	return fmt.Sprintf(" [[scn:%s#%d]]", name, time.Now().UnixNano())
}

func says(text string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, text) }

// talks is a long text: five seconds, or as much of it as anybody waits for.
func talks() string {
	var b strings.Builder
	for i := range 100 {
		fmt.Fprintf(&b, "%d green bottles. ", i)
	}
	return fmt.Sprintf(`{"type":"text","text":%q,"chunk":15,"delay_ms":50}`, b.String())
}

func runs(command, risk string) string {
	return fmt.Sprintf(`{"type":"tool_call","name":"Execute","arguments":{"summary":"s","command":%q,"riskLevelReason":"r","riskLevel":%q}}`, command, risk)
}

func (c *live) turnEnd(status protocol.TurnStatus) adapters.TurnEnded {
	c.t.Helper()
	end := expect[adapters.TurnEnded](c, "end of the turn: "+string(status))
	if end.Status != status {
		c.t.Fatalf("got %+v, want %s; said:\n%s", end, status, c.all())
	}
	return end
}

// tool waits for the end of a call.
func (c *live) tool(want protocol.ToolStatus) *protocol.ToolCallData {
	c.t.Helper()
	var data *protocol.ToolCallData
	c.until("the end of a tool call", func(d adapters.Draft) bool {
		e, ok := d.(adapters.EntryClosed)
		if ok {
			data, ok = e.Data.(*protocol.ToolCallData)
		}
		return ok
	})
	if data.Status != want {
		c.t.Errorf("got %+v, want %s", data, want)
	}
	return data
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
	return ok && text(c) != ""
}

// rest reads to the end of the output and gives the exit.
func (c *live) rest() adapters.Exit {
	c.t.Helper()
	for line := range c.lines {
		c.do(func(out *adapters.Output) { c.tr.Line([]byte(line), out) })
	}
	exit := c.conn.Wait()
	c.do(func(out *adapters.Output) { c.tr.Exit(exit, out) })
	return exit
}

// end ends the process as the daemon does.
func (c *live) end() {
	c.t.Helper()
	c.conn.Stop(5 * time.Second)
	if exit := c.rest(); exit.Code != 0 {
		c.t.Errorf("got %+v", exit)
	}
}

func (c *live) signal(s syscall.Signal) {
	c.t.Helper()
	p, ok := c.conn.Process()
	if !ok {
		c.t.Fatal("no process")
	}
	if err := syscall.Kill(-p.PID, s); err != nil {
		c.t.Fatal(err)
	}
}

func TestLiveText(t *testing.T) {
	c := begin(t, liveSpec(t))
	if c.ready.NativeSessionID == "" || c.ready.Model != "custom:fake-model-0" || c.ready.Mode != "normal" {
		t.Errorf("got %+v", c.ready)
	}
	if offered := expect[adapters.Offered](c, "Offered"); len(offered.Models) < 2 || len(offered.Modes) != 5 {
		t.Errorf("got %+v", offered)
	}
	png, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	if err != nil {
		t.Fatal(err)
	}
	c.command(adapters.Prompt{
		ID: "p1", Text: "Say hello." + script(t, "hello", says("Hello."), says("Again.")),
		Images: []adapters.Image{{Ref: "sha256:aa;image/png", MediaType: "image/png", Data: png}},
	})
	if a := expect[adapters.PromptAnswered](c, "answer"); a.ID != "p1" || a.Result != adapters.PromptStarted {
		t.Errorf("got %+v", a)
	}
	c.until("the user's message", func(d adapters.Draft) bool {
		e, ok := d.(adapters.EntryClosed)
		if !ok {
			return false
		}
		m, ok := e.Data.(*protocol.MessageData)
		return ok && m.Role == "user" && len(m.Images) == 1
	})
	c.turnEnd(protocol.TurnCompleted)
	c.command(adapters.Prompt{ID: "p2", Text: "And again."})
	c.turnEnd(protocol.TurnCompleted)
	c.command(adapters.Prompt{ID: "p3", Text: "Not this", Images: []adapters.Image{{MediaType: "image/bmp", Data: png}}})
	c.until("refusal", func(d adapters.Draft) bool {
		a, ok := d.(adapters.PromptAnswered)
		return ok && a.ID == "p3" && a.Result == adapters.PromptRefused
	})
	c.command(adapters.Prompt{ID: "p4", Text: "Nor this", Images: []adapters.Image{{MediaType: "image/png", Data: png[:40]}}})
	c.turnEnd(protocol.TurnError)
	c.end()
}

func TestLivePermission(t *testing.T) {
	c := begin(t, liveSpec(t))
	asked := func() adapters.RequestOpened {
		t.Helper()
		r := expect[adapters.RequestOpened](c, "a request")
		if r.Entry == 0 || r.Request.ToolKind != protocol.ToolExecute || r.Request.ToolName != "Execute" {
			t.Errorf("got %+v", r)
		}
		return r
	}
	one := runs("touch one", "medium")
	c.command(adapters.Prompt{ID: "p1", Text: "Once" + script(t, "once", one, says("Done."))})
	c.command(adapters.Answer{Key: asked().Key, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce})
	c.tool(protocol.ToolCompleted)
	c.turnEnd(protocol.TurnCompleted)

	c.command(adapters.Prompt{ID: "p2", Text: "Cancel" + script(t, "cancel", one, says("Never."))})
	c.command(adapters.Answer{Key: asked().Key, Outcome: protocol.OutcomeDenied, Option: protocol.DenyStop, Message: "rather not"})
	c.tool(protocol.ToolError)
	c.turnEnd(protocol.TurnCompleted)

	// One native request for two commands: two approvals.
	c.command(adapters.Prompt{ID: "p3", Text: "Both" + script(t, "both", one+","+runs("touch two", "medium"), says("Done."))})
	first, second := asked(), asked()
	if first.Request.Subject != "touch one" || second.Request.Subject != "touch two" {
		t.Errorf("got %+v, %+v", first, second)
	}
	c.command(adapters.Answer{Key: second.Key, Outcome: protocol.OutcomeAllowed})
	c.command(adapters.Answer{Key: first.Key, Outcome: protocol.OutcomeAllowed})
	c.tool(protocol.ToolCompleted)
	c.tool(protocol.ToolCompleted)
	c.turnEnd(protocol.TurnCompleted)

	c.command(adapters.Prompt{ID: "p4", Text: "Always" + script(t, "always", one, runs("touch three", "medium"), says("Done."))})
	c.command(adapters.Answer{Key: asked().Key, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowAlways})
	c.tool(protocol.ToolCompleted)
	c.tool(protocol.ToolCompleted) // not asked again
	c.turnEnd(protocol.TurnCompleted)
	c.end()
}

func TestLiveQuestion(t *testing.T) {
	c := begin(t, liveSpec(t))
	ask := `{"type":"tool_call","name":"AskUser","arguments":{"questionnaire":"1. [question] Which?\n[topic] Cake\n[option] Lemon\n[option] Nut\n2. [question] What else?\n[topic] More\n[option] A\n[option] B\n"}}`
	c.command(adapters.Prompt{ID: "p1", Text: "Ask" + script(t, "ask-live", ask, says("Noted."), ask, ask, says("Never."))})
	r := expect[adapters.RequestOpened](c, "a question")
	if r.Entry == 0 || len(r.Request.Questions) != 2 || len(r.Request.Questions[0].Options) != 2 {
		t.Errorf("got %+v", r)
	}
	c.command(adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"Nut"}, {"something else"}}})
	if out := c.tool(protocol.ToolCompleted).Output; !strings.Contains(out, "Nut") || !strings.Contains(out, "something else") {
		t.Errorf("got %q", out)
	}
	c.turnEnd(protocol.TurnCompleted)

	c.command(adapters.Prompt{ID: "p2", Text: "Ask again"})
	c.command(adapters.Answer{Key: expect[adapters.RequestOpened](c, "a question").Key, Outcome: protocol.OutcomeCancelled})
	c.tool(protocol.ToolError)
	c.turnEnd(protocol.TurnCompleted)

	c.command(adapters.Prompt{ID: "p3", Text: "Ask once more"})
	expect[adapters.RequestOpened](c, "a question")
	c.command(adapters.Interrupt{})
	if closed := expect[adapters.RequestClosed](c, "withdrawal"); closed.Outcome != protocol.OutcomeCancelled {
		t.Errorf("got %+v", closed)
	}
	c.turnEnd(protocol.TurnInterrupted)
	c.end()
}

func TestLiveSteer(t *testing.T) {
	spec := liveSpec(t)
	spec.Mode = "auto-high"
	c := begin(t, spec)
	if c.ready.Mode != "auto-high" {
		t.Errorf("got %+v", c.ready)
	}
	tag := script(t, "steer-live", runs("sleep 2; echo done", "low"), says("Two at once."), talks(), says("Later."))
	c.command(adapters.Prompt{ID: "p1", Text: "Wait" + tag})
	c.until("a running tool", isRunning)
	c.command(adapters.Prompt{ID: "p2", Text: "Also this", Steer: true})
	answered := func(id string, want adapters.PromptResult) {
		t.Helper()
		c.until("answer to "+id, func(d adapters.Draft) bool {
			a, ok := d.(adapters.PromptAnswered)
			if ok && a.ID == id && a.Result != want {
				t.Errorf("got %+v", a)
			}
			return ok && a.ID == id
		})
	}
	answered("p2", adapters.PromptQueued)
	answered("p2", adapters.PromptHandled) // it joined
	c.turnEnd(protocol.TurnCompleted)

	c.command(adapters.Prompt{ID: "p3", Text: "Talk"})
	c.until("text", isText)
	c.command(adapters.Prompt{ID: "p4", Text: "Too late", Steer: true})
	answered("p4", adapters.PromptQueued)
	c.turnEnd(protocol.TurnCompleted)
	if began := expect[adapters.TurnBegan](c, "the late prompt's turn"); began.Prompt == nil || began.Prompt.Text != "Too late" {
		t.Errorf("got %+v", began)
	}
	c.turnEnd(protocol.TurnCompleted)
	c.end()
}

func TestLiveInterrupt(t *testing.T) {
	spec := liveSpec(t)
	c := begin(t, spec)
	again := func(id string) {
		t.Helper()
		c.command(adapters.Prompt{ID: id, Text: "Go on" + script(t, "go-on", says("On."))})
		c.turnEnd(protocol.TurnCompleted)
	}
	c.command(adapters.Prompt{ID: "p1", Text: "Talk" + script(t, "talk", talks())})
	c.until("text", isText)
	c.command(adapters.Prompt{ID: "p2", Text: "Waits", Steer: true})
	c.command(adapters.Interrupt{})
	c.turnEnd(protocol.TurnInterrupted)
	again("p3")

	c.command(adapters.SetMode{ID: "s1", Mode: "auto-high"})
	if a := expect[adapters.SettingAnswered](c, "the setting"); a.ID != "s1" || a.Result != adapters.SettingNow {
		t.Errorf("got %+v", a)
	}
	c.command(adapters.Prompt{ID: "p4", Text: "Tick" + script(t, "tick", runs("for i in 1 2 3 4 5 6 7 8 9; do echo tick $i; sleep 1; done", "low"))})
	c.until("output", isText)
	c.command(adapters.Interrupt{})
	c.tool(protocol.ToolError)
	c.turnEnd(protocol.TurnInterrupted)
	again("p5")

	c.command(adapters.SetMode{ID: "s2", Mode: "normal"})
	expect[adapters.SettingAnswered](c, "the setting")
	c.command(adapters.Prompt{ID: "p6", Text: "Ask" + script(t, "ask-first", runs("touch a", "medium"))})
	expect[adapters.RequestOpened](c, "a request")
	c.command(adapters.Interrupt{})
	if closed := expect[adapters.RequestClosed](c, "withdrawal"); closed.Outcome != protocol.OutcomeCancelled {
		t.Errorf("got %+v", closed)
	}
	c.turnEnd(protocol.TurnInterrupted)
	again("p7")

	c.command(adapters.Prompt{ID: "p8", Text: "At once" + script(t, "at-once", talks())})
	c.command(adapters.Interrupt{})
	c.turnEnd(protocol.TurnInterrupted)
	again("p9")
	c.end()
}

func TestLiveModel(t *testing.T) {
	spec := liveSpec(t)
	spec.Mode = "auto-high"
	c := begin(t, spec)
	c.command(adapters.Prompt{ID: "p1", Text: "Wait" + script(t, "switch", runs("sleep 2; echo done", "low"), says("By the other."), `{"type":"http_error","status":401,"message":"no"}`)})
	c.until("a running tool", isRunning)
	c.command(adapters.SetModel{ID: "s1", Model: "custom:other-model-1"})
	changed := expect[adapters.MetaChanged](c, "the other model").Meta.Model
	if changed == nil || *changed != "custom:other-model-1" {
		t.Errorf("got %v", changed)
	}
	if a := expect[adapters.SettingAnswered](c, "the setting"); a.ID != "s1" || a.Result != adapters.SettingNow {
		t.Errorf("got %+v", a)
	}
	c.turnEnd(protocol.TurnCompleted)

	c.command(adapters.Prompt{ID: "p2", Text: "Fail"})
	if end := c.turnEnd(protocol.TurnError); !strings.Contains(end.Error, "401") || !strings.Contains(end.Hint, "apiKey") {
		t.Errorf("got %+v", end)
	}
	c.command(adapters.Prompt{ID: "p3", Text: "Go on" + script(t, "go-on", says("On."))})
	c.turnEnd(protocol.TurnCompleted)
	c.end()
}

func TestLiveResume(t *testing.T) {
	spec := liveSpec(t)
	c := begin(t, spec)
	c.command(adapters.Prompt{ID: "p1", Text: "One" + script(t, "resumed", says("First."), talks(), says("Back."), says("Once more."))})
	c.turnEnd(protocol.TurnCompleted)
	c.command(adapters.Prompt{ID: "p2", Text: "Two"})
	c.until("text", isText)
	c.signal(syscall.SIGKILL)
	if exit := c.rest(); exit.Signal != "killed" {
		t.Errorf("got %+v", exit)
	}
	spec.Resume, spec.NativeSessionID = true, c.ready.NativeSessionID
	for _, d := range c.said {
		if e, ok := d.(adapters.EntryOpened); ok && e.PersistentID != "" {
			spec.Known = append(spec.Known, e.PersistentID)
		}
	}
	c = begin(t, spec)
	if c.ready.NativeSessionID != spec.NativeSessionID || len(of[adapters.EntryOpened](c.said)) > 0 {
		t.Errorf("got %s", c.all())
	}
	// The same prompt again, as a queue does whose agent was lost: its message id is another.
	c.command(adapters.Prompt{ID: "p2", Text: "Two"})
	c.turnEnd(protocol.TurnCompleted)

	// Asked to end in a turn, Droid says what it has within five seconds. It goes on with the script: the text, then this.
	c.command(adapters.Prompt{ID: "p3", Text: "Three" + script(t, "termed", talks())})
	c.until("text", isText)
	c.signal(syscall.SIGTERM)
	if end := c.turnEnd(protocol.TurnInterrupted); end.Error == "" {
		t.Errorf("got %+v", end)
	}
	if exit := c.rest(); exit.Code != 0 {
		t.Errorf("got %+v", exit)
	}
	c = begin(t, spec)
	if news := of[adapters.EntryOpened](c.said); len(news) == 0 {
		t.Error("nothing of what the log has not was said")
	}
	c.end()
}

func TestLiveUnknownSession(t *testing.T) {
	spec := liveSpec(t)
	spec.Resume, spec.NativeSessionID = true, "cccccccc-0000-4000-8000-00000000000c"
	c := start(t, spec)
	if exit := c.rest(); exit.Code != 0 {
		t.Errorf("got %+v", exit)
	}
	if len(of[adapters.Ready](c.said)) > 0 || !strings.Contains(c.all(), "Session not found") {
		t.Errorf("got %s", c.all())
	}
}
