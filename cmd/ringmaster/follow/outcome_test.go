package follow

import (
	"errors"
	"testing"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

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
		{"completed", []string{idle, queued, begun, turn, work, completed, idle}, 7, exit.OK},
		{"idle before the prompt counts for nothing", []string{queued, idle}, 0, exit.OK},
		{"idle in mid turn counts for nothing", []string{queued, begun, turn, idle}, 0, exit.OK},
		{"failed", []string{queued, begun, turn, failed, idle}, 5, exit.Failed},
		{"interrupted", []string{queued, begun, turn, stopped, idle}, 5, exit.Interrupted},
		{"failed, then better", []string{queued, begun, turn, failed, turn, completed, idle}, 7, exit.OK},
		{"an earlier turn is another's", []string{queued, other, begun, turn, completed, idle}, 6, exit.OK},
		{"handled without a turn", []string{queued, begun, idle}, 3, exit.OK},
		{"cancelled", []string{queued, cancelled}, 2, exit.Interrupted},
		{"refused", []string{queued, refused, idle}, 3, exit.Failed},
		{"the agent did not start", []string{queued, refused, over, broken}, 4, exit.NoAgent},
		{"the agent died", []string{queued, begun, turn, failed, broken}, 5, exit.Failed},
		{"ended by somebody", []string{queued, refused, over, ended}, 4, exit.Interrupted},
		{"ended afterwards", []string{queued, begun, turn, completed, ended}, 5, exit.OK},
	} {
		var o Outcome
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
		if code := exit.CodeOf(o.Result()); code != c.code {
			t.Errorf("%s: exit code %d, want %d", c.name, code, c.code)
		}
	}
}

// A turn whose agent was lost has failed, also where its agent counts it as interrupted.
func TestLostAgentIsAFailure(t *testing.T) {
	for cause, want := range map[protocol.TurnCause]int{protocol.CauseLost: exit.Failed, protocol.CauseUser: exit.Interrupted} {
		var o Outcome
		for _, p := range []protocol.Payload{
			&protocol.PromptQueued{PromptID: "p1"}, &protocol.PromptRemoved{PromptID: "p1", Reason: protocol.RemovedDispatched},
			&protocol.TurnStart{TurnID: "t1", Prompt: &protocol.Prompt{PromptID: "p1"}},
			&protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnInterrupted, Cause: cause, Error: "why"},
			&protocol.Status{State: protocol.StateIdle},
		} {
			o.event(&protocol.Event{Payload: p})
		}
		var ended *exit.Error
		if err := o.Result(); !errors.As(err, &ended) || ended.Code != want {
			t.Errorf("%s: %v, want %d", cause, err, want)
		}
	}
}
