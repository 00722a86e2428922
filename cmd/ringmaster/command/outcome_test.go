package command

import (
	"errors"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What a log makes of a prompt is the exit code of whoever waits for it.
func TestOutcome(t *testing.T) {
	const (
		queued    = `{"seq":1,"ts":1,"type":"prompt_queued","promptId":"p1","text":"x"}`
		begun     = `{"seq":2,"ts":1,"type":"prompt_removed","promptId":"p1","reason":"dispatched"}`
		cancelled = `{"seq":2,"ts":1,"type":"prompt_removed","promptId":"p1","reason":"cancelled"}`
		refused   = `{"seq":2,"ts":1,"type":"prompt_removed","promptId":"p1","reason":"cancelled","error":"no"}`
		turn      = `{"seq":3,"ts":1,"type":"turn_start","turnId":"t1","prompt":{"text":"x","promptId":"p1"}}`
		work      = `{"seq":4,"ts":1,"type":"status","state":"responding","agentStatus":"responding"}`
		completed = `{"seq":5,"ts":1,"type":"turn_end","turnId":"t1","status":"completed"}`
		failed    = `{"seq":5,"ts":1,"type":"turn_end","turnId":"t1","status":"error","error":"500"}`
		stopped   = `{"seq":5,"ts":1,"type":"turn_end","turnId":"t1","status":"interrupted"}`
		idle      = `{"seq":6,"ts":1,"type":"status","state":"idle","agentStatus":"idle"}`
		other     = `{"seq":1,"ts":1,"type":"turn_end","turnId":"t0","status":"error"}`
		over      = `{"seq":8,"ts":1,"type":"status","state":"failed","agentStatus":"idle"}`
		broken    = `{"seq":9,"ts":1,"type":"session_end","reason":"error","error":"agent did not start"}`
		ended     = `{"seq":9,"ts":1,"type":"session_end","reason":"terminated"}`
	)
	for _, c := range []struct {
		name string
		log  []string
		last int // events until it is over; 0: it is not
		code int
	}{
		{"completed", []string{idle, queued, begun, turn, work, completed, idle}, 7, exitOK},
		{"idle before the prompt counts for nothing", []string{queued, idle}, 0, exitOK},
		{"idle in mid turn counts for nothing", []string{queued, begun, turn, idle}, 0, exitOK},
		{"failed", []string{queued, begun, turn, failed, idle}, 5, exitFailed},
		{"interrupted", []string{queued, begun, turn, stopped, idle}, 5, exitInterrupted},
		{"failed, then better", []string{queued, begun, turn, failed, turn, completed, idle}, 7, exitOK},
		{"an earlier turn is another's", []string{queued, other, begun, turn, completed, idle}, 6, exitOK},
		{"handled without a turn", []string{queued, begun, idle}, 3, exitOK},
		{"cancelled", []string{queued, cancelled}, 2, exitInterrupted},
		{"refused", []string{queued, refused, idle}, 3, exitFailed},
		{"the agent did not start", []string{queued, refused, over, broken}, 4, exitNoAgent},
		{"the agent died", []string{queued, begun, turn, failed, broken}, 5, exitFailed},
		{"ended by somebody", []string{queued, refused, over, ended}, 4, exitInterrupted},
		{"ended afterwards", []string{queued, begun, turn, completed, ended}, 5, exitOK},
	} {
		var o outcome
		last := 0
		for i, line := range c.log {
			e, err := protocol.Decode([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			if o.event(&e) {
				last = i + 1
				break
			}
		}
		if last != c.last {
			t.Errorf("%s: over after %d events, want %d", c.name, last, c.last)
		}
		if code := exitCode(o.result()); code != c.code {
			t.Errorf("%s: exit code %d, want %d", c.name, code, c.code)
		}
	}
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, 0},
		{errors.New("x"), 1},
		{usagef("x"), 2},
		{protocol.NewProblem(protocol.CodeSessionNotFound, "", ""), 1},
		{protocol.NewProblem(protocol.CodeAgentUnavailable, "", ""), 4},
		{protocol.NewProblem(protocol.CodeAgentNotFound, "", ""), 4},
		{errors.Join(&exitError{code: exitInterrupted}, nil), 3},
		{errStopped, 130},
	} {
		if got := exitCode(c.err); got != c.code {
			t.Errorf("%v: %d, want %d", c.err, got, c.code)
		}
	}
}

// A command line that is wrong says which command's help to read, and what may have been meant.
func TestUsageHints(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"tail"}, "ringmaster: tail: wrong number of arguments (0); usage: ringmaster tail SESSION [flags]\n  hint: ringmaster tail --help shows how it is used\n"},
		{[]string{"ls", "--bogus"}, "ringmaster: unknown flag: --bogus\n  hint: ringmaster ls --help shows how it is used\n"},
		{[]string{"serve"}, "  hint: ringmaster serve --help shows how it is used\n"},
		{[]string{"strat"}, "ringmaster: unknown command \"strat\" for \"ringmaster\"\n  hint: did you mean: ringmaster state\n"},
		{[]string{"xyzzy"}, "ringmaster: unknown command \"xyzzy\" for \"ringmaster\"\n  hint: ringmaster --help shows how it is used\n"},
	} {
		b.run(c.args).want(t, exitUsage, c.want)
	}
	b.daemon()
	b.run([]string{"show", "@first"}).want(t, exitUsage, "@first\" names no session", "hint: ringmaster ls shows the sessions\n")
}

// What an error says of others' texts does not reach the terminal raw.
func TestReportIsHarmless(t *testing.T) {
	p := protocol.NewProblem(protocol.CodeConflict, "bad \x1b[31m\u009btext\r", "a \ahint")
	p.By = "some\x1bbody"
	var b strings.Builder
	report(&b, p)
	report(&b, withHint(errors.New("bad \x1b]0;x\a"), "hint\n\x1b"))
	want := `ringmaster: conflict: bad \x1b[31m\u009btext\r (answered by some\x1bbody)
  hint: a \x07hint
ringmaster: bad \x1b]0;x\x07
  hint: hint\n\x1b
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// Tables and answers are harmless, too.
func TestPrintingIsHarmless(t *testing.T) {
	var b strings.Builder
	var tab table
	tab.add("a\x1b[31m", "b\u202e", "c\n\u009b"+strings.Repeat("x", 90))
	if err := tab.print(&b); err != nil {
		t.Fatal(err)
	}
	if err := printJSON(&b, []byte(`{"t":"a\u001b`+"\u009b\u202e\u007f"+`<b>"}`)); err != nil {
		t.Fatal(err)
	}
	want := `a\x1b[31m  b\u202e  c\n\u009b` + strings.Repeat("x", 90) + "\n{\n  \"t\": \"a\\u001b\\u009b\\u202e\\u007f<b>\"\n}\n"
	if b.String() != want {
		t.Errorf("got\n%q\nwant\n%q", b.String(), want)
	}
	if err := printJSON(&b, []byte("{")); err == nil {
		t.Error("half an object was printed")
	}
}

// A turn whose agent was lost has failed, also where its agent counts it as interrupted.
func TestLostAgentIsAFailure(t *testing.T) {
	for cause, want := range map[protocol.TurnCause]int{protocol.CauseLost: exitFailed, protocol.CauseUser: exitInterrupted} {
		var o outcome
		for _, p := range []protocol.Payload{
			&protocol.PromptQueued{PromptID: "p1"}, &protocol.PromptRemoved{PromptID: "p1", Reason: protocol.RemovedDispatched},
			&protocol.TurnStart{TurnID: "t1", Prompt: &protocol.Prompt{PromptID: "p1"}},
			&protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnInterrupted, Cause: cause, Error: "why"},
			&protocol.Status{State: protocol.StateIdle},
		} {
			o.event(&protocol.Event{Payload: p})
		}
		var exit *exitError
		if err := o.result(); !errors.As(err, &exit) || exit.code != want {
			t.Errorf("%s: %v, want %d", cause, err, want)
		}
	}
}
