package codex_test

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const approve = `{"method":"item/commandExecution/requestApproval","id":7,"params":{"threadId":"A","turnId":"1","itemId":"x","command":"c"}}`

// asked has a turn wait for an approval.
func asked(t *testing.T) (*wire, adapters.Lane) {
	t.Helper()
	c := ready(t)
	a := c.session("A")
	c.agent(started("A", "1"), item("started", "A", "1", `"type":"commandExecution","id":"x","command":"c","status":"inProgress"`), approve)
	c.all(a)
	c.heard()
	return c, a
}

// TestAskedAgain: the same request is asked once, and its answer, whenever it was given, comes back to whoever asks again.
func TestAskedAgain(t *testing.T) {
	allow := adapters.Answer{Key: 1, Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce}
	const answer = `{"id":7,"result":{"decision":"accept"}}`
	running := resumed("active", "", pastTurn("1", "inProgress", `{"type":"commandExecution","id":"x","command":"c","status":"inProgress"}`))
	waits := strings.Replace(running, `"activeFlags":[]`, `"activeFlags":["waitingOnApproval"]`, 1)
	t.Run("answered after", func(t *testing.T) {
		c, a := asked(t)
		c.lose()
		c.answer("thread/resume", waits)
		c.agent(approve)
		c.heard()
		c.command(a, allow)
		same(t, c.heard(), answer)
		same(t, c.drafts(a), "phase: retrying\nphase: responding")
	})
	t.Run("answered before, and the answer was lost", func(t *testing.T) {
		c, a := asked(t)
		c.command(a, allow)
		same(t, c.heard(), answer)
		c.lose()
		c.answer("thread/resume", waits)
		c.heard()
		c.agent(approve)
		same(t, c.heard(), answer)
		c.agent(`{"method":"serverRequest/resolved","params":{"threadId":"A","requestId":7}}`)
		c.agent(approve)
		if got := c.all(a); !strings.Contains(got, "request 2 opened") { // another one
			t.Errorf("got %s", got)
		}
	})
	t.Run("answered while away", func(t *testing.T) {
		c, a := asked(t)
		c.agent(lostLine)
		c.command(a, allow)
		same(t, c.heard(), "")
		c.comeBack()
		c.agent(approve) // before the answer: it waits
		c.answer("thread/resume", waits)
		if got := c.heard(); !strings.HasSuffix(got, answer) || strings.Count(got, answer) != 1 {
			t.Errorf("heard %s", got)
		}
	})
	t.Run("answered elsewhere", func(t *testing.T) {
		c, a := asked(t)
		c.lose()
		c.answer("thread/resume", running)
		same(t, c.drafts(a), "phase: retrying\nrequest 1 closed: cancelled  []\nphase: responding")
	})
	t.Run("another with the same id", func(t *testing.T) {
		c, a := asked(t)
		c.command(a, allow)
		c.heard()
		c.agent(strings.Replace(approve, `"itemId":"x"`, `"itemId":"y"`, 1))
		if got := c.all(a); !strings.Contains(got, "request 2 opened") {
			t.Errorf("got %s", got)
		}
		same(t, c.heard(), "")
	})
}
