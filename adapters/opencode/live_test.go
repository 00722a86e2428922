package opencode_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
	"github.com/ringmaster-agents/ringmaster/adapters/process"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// LiveEnv names an OpenCode to run the live tests with. It must be isolated and have a model that plays the scripts inside the
// prompts; without it the tests are skipped. With askEnv set it asks before bash and edit.
const (
	LiveEnv = "RINGMASTER_LIVE_OPENCODE"
	askEnv  = "RINGMASTER_LIVE_OPENCODE_ASKS"
)

// liveSpec is what sessions of a live test want.
func liveSpec(t *testing.T) adapters.Spec {
	t.Helper()
	name := os.Getenv(LiveEnv)
	if name == "" {
		t.Skip(LiveEnv + " is not set")
	}
	t.Setenv("TMPDIR", t.TempDir()) // what the program leaves there goes with the test
	t.Setenv(opencode.ProgramEnv, name)
	found := opencode.Agent{}.Find(t.Context())
	if !found.Tested {
		t.Fatalf("found %+v", found)
	}
	env := append(os.Environ(), adapters.MarkerEnv+"="+t.Name())
	return adapters.Spec{SessionID: "77777777-7777-4777-8777-777777777777", Program: found.Program, Version: found.Version, Cwd: t.TempDir(), Env: env}
}

func connect(t *testing.T, spec adapters.Spec) *link {
	t.Helper()
	conn, err := opencode.Agent{}.Connect(t.Context(), spec, process.Transport{})
	if err != nil {
		t.Fatal(err)
	}
	return newLink(t, conn, spec)
}

func (s *session) prompt(id, text, script string) {
	s.link.Helper()
	s.command(adapters.Prompt{ID: id, Text: text + "\n```fakellm\n" + script + "\n```\n"})
}

// bash is a script whose only step is a command.
func bash(id, command string) string {
	return fmt.Sprintf(`{"steps":[{"tool":{"id":%q,"name":"bash","args":{"command":%q,"description":"a test"}}}]}`, id, command)
}

const longText = `{"steps":[{"gen":{"words":2000,"seed":7},"delay_ms":20}]}`

// TestLive goes through a session's life on a server of its own: text, tool, image, settings, steering, interrupts, a provider
// error; and is taken up again by another server.
func TestLive(t *testing.T) {
	if os.Getenv(askEnv) != "" {
		t.Skip("OpenCode asks before everything")
	}
	spec := liveSpec(t)
	l := connect(t, spec)
	s := l.join(spec)
	s.ready()
	var offered adapters.Offered
	for offered.Models == nil || offered.Modes == nil {
		s.until("an offer", func(d adapters.Draft) bool {
			o, ok := d.(adapters.Offered)
			if o.Models != nil {
				offered.Models = o.Models
			}
			if o.Modes != nil {
				offered.Modes = o.Modes
			}
			return ok
		})
	}
	if len(offered.Models) < 2 || len(offered.Modes) < 2 {
		t.Errorf("offered %+v", offered)
	}

	s.prompt("1", "Say hello.", `{"text":"Hello."}`)
	s.until("the prompt's answer", func(d adapters.Draft) bool {
		a, ok := d.(adapters.PromptAnswered)
		if ok && (a.ID != "1" || a.Result != adapters.PromptStarted) {
			t.Errorf("got %+v", a)
		}
		return ok
	})
	s.turnEnd(protocol.TurnCompleted)
	if got := s.final(protocol.EntryAssistantMessage); got != "Hello." {
		t.Errorf("it said %q", got)
	}

	s.prompt("2", "Run.", "["+bash("call_1", "echo one; sleep 1; echo two; exit 3")+`,{"text":"Done."}]`)
	s.until("a running tool", isRunning)
	if c := s.call(protocol.ToolCompleted); c.ExitCode == nil || *c.ExitCode != 3 || !strings.Contains(c.Output, "two") {
		t.Errorf("got %+v", c)
	}
	s.turnEnd(protocol.TurnCompleted)

	s.command(adapters.SetModel{ID: "m", Model: "fake/fake-2"})
	s.command(adapters.SetMode{ID: "n", Mode: "plan"})
	s.prompt("3", "Which model?", `{"text":"{{model}}"}`)
	s.turnEnd(protocol.TurnCompleted)
	if got := s.final(protocol.EntryAssistantMessage); got != "fake-2" {
		t.Errorf("the model is %q", got)
	}
	if !strings.Contains(s.text(), `"mode":"plan"`) {
		t.Errorf("the mode was not told: %s", s.text())
	}
	s.command(adapters.SetModel{ID: "m", Model: "fake/fake-1"})
	s.command(adapters.SetMode{ID: "n", Mode: "build"})

	// A steering prompt goes into the running turn.
	s.prompt("4", "Wait.", "["+bash("call_2", "echo begun; sleep 3")+`,{"text":"No."}]`)
	s.until("a running tool", isRunning)
	s.command(adapters.Prompt{ID: "5", Text: "Also this\n```fakellm\n[{\"text\":\"first\"},{\"text\":\"Steered.\"}]\n```\n", Steer: true})
	s.until("the answer to the steering prompt", func(d adapters.Draft) bool {
		a, ok := d.(adapters.PromptAnswered)
		if ok && a.ID == "5" && a.Result != adapters.PromptHandled {
			t.Errorf("got %+v", a)
		}
		return ok && a.ID == "5"
	})
	s.turnEnd(protocol.TurnCompleted)

	s.prompt("6", "A long one.", longText)
	s.until("text", isText)
	s.command(adapters.Interrupt{})
	s.turnEnd(protocol.TurnInterrupted)

	s.prompt("7", "A long job.", "["+bash("call_3", "echo begun; sleep 60")+`,{"text":"No."}]`)
	s.until("output", isText)
	s.command(adapters.Interrupt{})
	s.turnEnd(protocol.TurnInterrupted)

	s.prompt("8", "Fail.", `{"http":{"status":400,"body":"{\"error\":{\"message\":\"no such thing\"}}"}}`)
	s.turnEnd(protocol.TurnError)

	s.command(adapters.Prompt{ID: "9", Text: "Look\n```fakellm\n{\"text\":\"Seen.\"}\n```\n", Images: []adapters.Image{{
		Ref: "sha256:00;image/png", MediaType: "image/png", Data: picture(t),
	}}})
	s.turnEnd(protocol.TurnCompleted)

	s.command(adapters.SetModel{ID: "m", Model: "fake/ghost"})
	s.until("a refusal", func(d adapters.Draft) bool {
		a, ok := d.(adapters.SettingAnswered)
		return ok && a.Result == adapters.SettingRefused
	})
	turns, known := s.turns(), s.ids()
	if exit := l.stop(); !exit.Requested {
		t.Errorf("ended with %+v", exit)
	}
	noProcess(t)

	// The same session on another server says nothing of its past again.
	spec.NativeSessionID, spec.Resume, spec.Known = s.native, true, known
	l = connect(t, spec)
	s = l.join(spec)
	s.ready()
	s.prompt("10", "Again.", `{"text":"Still here."}`)
	s.turnEnd(protocol.TurnCompleted)
	if got := s.turns(); got != 1 || turns != 8 {
		t.Errorf("%d turns, then %d; said:\n%s", turns, got, s.text())
	}
	l.stop()
}

// picture is a small one that can be decoded.
func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func (s *session) turns() (n int) {
	s.link.mu.Lock()
	defer s.link.mu.Unlock()
	for _, d := range s.said {
		if _, ok := d.(adapters.TurnBegan); ok {
			n++
		}
	}
	return n
}

// noProcess checks that nothing is left that carries the test's marker.
func noProcess(t *testing.T) {
	t.Helper()
	dirs, err := os.ReadDir("/proc")
	if err != nil {
		t.Skip(err)
	}
	for _, d := range dirs {
		env, err := os.ReadFile("/proc/" + d.Name() + "/environ")
		if err == nil && strings.Contains(string(env), adapters.MarkerEnv+"="+t.Name()+"\x00") {
			cmd, _ := os.ReadFile("/proc/" + d.Name() + "/cmdline")
			t.Errorf("process %s is left: %q", d.Name(), cmd)
		}
	}
}

// TestLiveApproval answers in all four ways, one by an interrupt, and a question.
func TestLiveApproval(t *testing.T) {
	if os.Getenv(askEnv) == "" {
		t.Skip(askEnv + " is not set")
	}
	spec := liveSpec(t)
	l := connect(t, spec)
	defer l.stop()
	s := l.join(spec)
	s.ready()
	answer := func(option string, outcome protocol.Outcome, message string) {
		t.Helper()
		r := s.request()
		if r.Entry == 0 || r.Request.ToolName != "bash" || r.Request.ToolKind != protocol.ToolExecute || r.Request.Subject == "" {
			t.Errorf("got %+v", r)
		}
		s.command(adapters.Answer{Key: r.Key, Outcome: outcome, Option: option, Message: message})
	}
	one := "[" + bash("call_1", "echo one") + `,{"text":"Done."}]`
	s.prompt("1", "Allow", one)
	answer(protocol.AllowOnce, protocol.OutcomeAllowed, "")
	s.call(protocol.ToolCompleted)
	s.turnEnd(protocol.TurnCompleted)

	s.prompt("2", "Deny", "["+bash("call_2", "echo two")+`,{"text":"{{last_tool_result}}"}]`)
	answer(protocol.DenyContinue, protocol.OutcomeDenied, "Not now, please.")
	s.call(protocol.ToolError)
	s.turnEnd(protocol.TurnCompleted)
	if got := s.final(protocol.EntryAssistantMessage); !strings.Contains(got, "Not now, please.") {
		t.Errorf("the model heard %q", got)
	}

	s.prompt("3", "Deny without words", "["+bash("call_3", "echo three")+`,{"text":"Went on."}]`)
	answer("", protocol.OutcomeDenied, "")
	s.call(protocol.ToolError)
	s.turnEnd(protocol.TurnCompleted)

	s.prompt("4", "Stop", "["+bash("call_4", "echo four")+`,{"text":"Went on."}]`)
	answer(protocol.DenyStop, protocol.OutcomeDenied, "ignored")
	s.call(protocol.ToolError)
	s.turnEnd(protocol.TurnInterrupted)

	s.prompt("5", "Interrupt", "["+bash("call_5", "echo five")+`,{"text":"Went on."}]`)
	s.request()
	s.command(adapters.Interrupt{})
	s.turnEnd(protocol.TurnInterrupted)

	s.prompt("6", "Always", "["+bash("call_6", "echo six")+","+bash("call_7", "echo seven")+`,{"text":"Done."}]`)
	answer(protocol.AllowAlways, protocol.OutcomeAllowed, "")
	s.call(protocol.ToolCompleted)
	s.call(protocol.ToolCompleted) // without asking
	s.turnEnd(protocol.TurnCompleted)

	s.prompt("7", "Ask", `[{"steps":[{"tool":{"id":"call_8","name":"question","args":{"questions":[{"question":"Which colour?","header":"Colour",`+
		`"options":[{"label":"Blue","description":"Calm"},{"label":"Red","description":"Loud"}]}]}}}]},{"text":"{{last_tool_result}}"}]`)
	s.until("a request or the end", func(d adapters.Draft) bool {
		if r, ok := d.(adapters.RequestOpened); ok {
			if r.Request.Kind != protocol.RequestQuestion || len(r.Request.Questions) != 1 || !r.Request.Questions[0].FreeText {
				t.Errorf("got %+v", r)
			}
			go s.command(adapters.Answer{Key: r.Key, Outcome: protocol.OutcomeAnswered, Answers: [][]string{{"Green"}}})
			return true
		}
		_, ended := d.(adapters.TurnEnded)
		return ended // this version has no such tool
	})
	if !strings.Contains(s.text(), "Which colour?") {
		t.Skip("no question tool in this version")
	}
	s.turnEnd(protocol.TurnCompleted)
	if got := s.final(protocol.EntryAssistantMessage); !strings.Contains(got, "Green") {
		t.Errorf("the model heard %q", got)
	}
}

// TestLiveChild runs a sub-agent, and two sessions beside each other on one server.
func TestLiveChild(t *testing.T) {
	if os.Getenv(askEnv) != "" {
		t.Skip("OpenCode asks before everything")
	}
	spec := liveSpec(t)
	l := connect(t, spec)
	defer l.stop()
	a, b := l.join(spec), l.join(spec)
	a.ready()
	b.ready()
	if a.native == b.native {
		t.Fatal("one session for two")
	}
	inner := "CHILD JOB\n```fakellm\n[" + bash("call_c", "echo from the child") + ",{\"text\":\"The child is done.\"}]\n```\n"
	// The fence of the inner script must not end the outer one.
	quoted := strings.ReplaceAll(strconv.Quote(inner), "`", `\u0060`)
	a.prompt("1", "Delegate.", `[{"steps":[{"tool":{"id":"call_t","name":"task","args":{"description":"Run it","prompt":`+quoted+
		`,"subagent_type":"general"}}}]},{"text":"Delegated."}]`)
	b.prompt("1", "Meanwhile.", "["+bash("call_b", "sleep 1; echo b")+`,{"text":"Done."}]`)
	var born adapters.ChildBegan
	a.until("a child", func(d adapters.Draft) bool {
		c, ok := d.(adapters.ChildBegan)
		if ok {
			born = c
		}
		return ok
	})
	a.turnEnd(protocol.TurnCompleted)
	b.turnEnd(protocol.TurnCompleted)
	l.mu.Lock()
	var child *session
	for _, s := range l.all {
		if s.parent == a.lane {
			child = s
		}
	}
	l.mu.Unlock()
	if child == nil || child.native != born.NativeID || born.Entry == 0 || born.Title == "" {
		t.Fatalf("child %+v of %+v", child, born)
	}
	child.turnEnd(protocol.TurnCompleted)
	if got := child.final(protocol.EntryAssistantMessage); got != "The child is done." {
		t.Errorf("the child said %q", got)
	}
	if got := b.final(protocol.EntryAssistantMessage); got != "Done." {
		t.Errorf("the other said %q", got)
	}
	// A session that leaves has its work aborted; the other goes on.
	a.prompt("2", "A long one.", longText)
	a.until("text", isText)
	l.do(func(split *adapters.Split) { l.splitter.Leave(a.lane, split) })
	l.mu.Lock()
	delete(l.lanes, a.lane)
	l.mu.Unlock()
	b.prompt("2", "Still there?", `{"text":"Yes."}`)
	b.turnEnd(protocol.TurnCompleted)
}

// TestLiveKill kills the server in text and in a tool; its session is taken up by another.
func TestLiveKill(t *testing.T) {
	if os.Getenv(askEnv) != "" {
		t.Skip("OpenCode asks before everything")
	}
	spec := liveSpec(t)
	for i, script := range []string{longText, "[" + bash("call_1", "echo begun; sleep 60") + `,{"text":"No."}]`} {
		l := connect(t, spec)
		s := l.join(spec)
		s.ready()
		s.prompt(fmt.Sprint(i), "Work.", script)
		s.until("work", isText)
		p, ok := l.conn.Process()
		if !ok {
			t.Fatal("no process")
		}
		if err := syscall.Kill(p.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if exit := l.wait(); exit.Signal != "killed" || exit.Requested {
			t.Errorf("ended with %+v", exit)
		}
		noProcess(t)
		spec.NativeSessionID, spec.Resume, spec.Known = s.native, true, append(spec.Known, s.ids()...)
	}
	l := connect(t, spec)
	defer l.stop()
	s := l.join(spec)
	s.ready()
	s.prompt("9", "Again.", `{"text":"Back."}`)
	s.turnEnd(protocol.TurnCompleted)
	if got := s.turns(); got != 1 {
		t.Errorf("%d turns; said:\n%s", got, s.text())
	}
}

// cutter is a proxy whose connections can be cut.
type cutter struct {
	mu    sync.Mutex
	conns []net.Conn
	deny  bool
}

// proxy listens for connections to a server; it ends with the test.
func proxy(t *testing.T, target string) (address string, c *cutter) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c = &cutter{}
	var work sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		c.cut(true)
		work.Wait()
	})
	work.Go(func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", target)
			if err != nil {
				_ = in.Close()
				continue
			}
			c.mu.Lock()
			if c.deny {
				_, _ = in.Close(), out.Close()
			}
			c.conns = append(c.conns, in, out)
			c.mu.Unlock()
			pass := func(to, from net.Conn) {
				_, _ = io.Copy(to, from)
				_, _ = to.Close(), from.Close()
			}
			work.Go(func() { pass(in, out) })
			work.Go(func() { pass(out, in) })
		}
	})
	return listener.Addr().String(), c
}

// cut ends all connections; with deny there are no new ones.
func (c *cutter) cut(deny bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deny = deny
	for _, conn := range c.conns {
		_ = conn.Close()
	}
	c.conns = nil
}

// TestLiveAttach attaches to a server with a password, through a proxy that cuts the stream: nothing is lost or doubled.
func TestLiveAttach(t *testing.T) {
	if os.Getenv(askEnv) != "" {
		t.Skip("OpenCode asks before everything")
	}
	spec := liveSpec(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, spec.Program, "serve", "--hostname", "127.0.0.1", "--port", "0")
	cmd.Dir, cmd.Env = t.TempDir(), append(spec.Env, "OPENCODE_SERVER_PASSWORD=secret")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { cancel(); _ = cmd.Wait() }()
	var target string
	listening := regexp.MustCompile(`listening on http://(\S+)`)
	buf := make([]byte, 4096)
	for said := ""; target == ""; {
		n, err := out.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		said += string(buf[:n])
		if m := listening.FindStringSubmatch(said); m != nil {
			target = m[1]
		}
	}
	address, cuts := proxy(t, target)
	spec.Endpoint = &adapters.Endpoint{URL: "http://" + address, Password: "wrong"}
	if _, err := (opencode.Agent{}).Connect(t.Context(), spec, nil); err == nil || !strings.Contains(err.Error(), "password") {
		t.Errorf("with a wrong password: %v", err)
	}
	spec.Endpoint.Password = "secret"
	l := connect(t, spec)
	if _, ok := l.conn.Process(); ok {
		t.Error("it has a process")
	}
	s := l.join(spec)
	s.ready()
	s.prompt("1", "Tool.", "["+bash("call_1", "pwd")+`,{"text":"Done."}]`)
	if c := s.call(protocol.ToolCompleted); !strings.Contains(c.Output, spec.Cwd) {
		t.Errorf("it works in %q", c.Output)
	}
	s.turnEnd(protocol.TurnCompleted)

	// In the middle of a text.
	s.prompt("2", "Long.", `{"steps":[{"text":"Begin. "},{"gen":{"words":300,"seed":3},"delay_ms":10},{"text":" End."}]}`)
	s.until("text", isText)
	cuts.cut(false)
	s.turnEnd(protocol.TurnCompleted)
	if got := s.final(protocol.EntryAssistantMessage); !strings.HasPrefix(got, "Begin. ") || !strings.HasSuffix(got, "End.") {
		t.Errorf("it said %q", got)
	}
	// Over the end of a run, with tools and texts that were never heard.
	s.prompt("3", "Work.", "["+bash("call_2", "echo one; sleep 1")+","+bash("call_3", "echo two")+`,{"text":"All done."}]`)
	s.until("a running tool", isRunning)
	cuts.cut(true)
	time.AfterFunc(4*time.Second, func() { cuts.cut(false) })
	s.turnEnd(protocol.TurnCompleted)
	if got := s.final(protocol.EntryAssistantMessage); got != "All done." {
		t.Errorf("it said %q", got)
	}
	if got := strings.Count(s.text(), "opened: tool_call"); got != 3 {
		t.Errorf("%d tool calls; said:\n%s", got, s.text())
	}
	if got := s.turns(); got != 3 {
		t.Errorf("%d turns; said:\n%s", got, s.text())
	}
	if exit := l.stop(); !exit.Requested || !exit.Clean() {
		t.Errorf("ended with %+v", exit)
	}
	if cmd.ProcessState != nil {
		t.Error("the server ended with the connection")
	}
}
