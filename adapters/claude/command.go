package claude

import (
	"encoding/json"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// calls are the control requests that go to the agent, until they are answered.
type calls struct {
	child string // native id of the sub-agent that they are of; empty: they are the session's own
	last  int    // of the translator's own, given last
	open  map[string]sentControl
}

// sentControl is a control request that went to the agent and is not answered.
type sentControl struct {
	kind    string // its subtype
	setting string // id of the SetModel or SetMode command
	theirs  bool   // somebody else sent it
}

// The control requests that go to the agent.
type (
	initialize struct {
		Subtype             string `json:"subtype"`
		ForwardSubagentText bool   `json:"forwardSubagentText"`
	}
	interrupt struct {
		Subtype      string `json:"subtype"`
		CancelQueued bool   `json:"cancel_queued"` // what waits in the agent's queue would start the next turn
	}
	setModel struct {
		Subtype string `json:"subtype"`
		Model   string `json:"model"`
	}
	setMode struct {
		Subtype string `json:"subtype"`
		Mode    string `json:"mode"`
	}
	stopTask struct {
		Subtype string `json:"subtype"`
		TaskID  string `json:"task_id"`
	}
)

// ownPrefix begins the ids of the translator's own control requests; those of a sub-agent name it, so that they are unique on
// the connection.
const ownPrefix = "rm-"

// ask sends a control request.
func (c *calls) ask(s sentControl, request any, out *adapters.Output) {
	c.last++
	id := ownPrefix
	if c.child != "" {
		id += c.child + "-"
	}
	id += strconv.Itoa(c.last)
	c.remember(id, s)
	send(out, control{Type: "control_request", RequestID: id, Request: encode(request)})
}

// maxControls is how many control requests without an answer are remembered.
const maxControls = 256

func (c *calls) remember(id string, s sentControl) {
	if len(c.open) >= maxControls {
		clear(c.open)
	}
	c.open[id] = s
}

// sent takes a control request that somebody else sent.
func (c *calls) sent(id string, request json.RawMessage) {
	var r struct {
		Subtype string `json:"subtype"`
	}
	_ = native.Decode(request, &r)
	c.remember(id, sentControl{kind: r.Subtype, theirs: true})
}

// take takes the one that is answered; it is empty where that is not known.
func (c *calls) take(id string) sentControl {
	s := c.open[id]
	delete(c.open, id)
	return s
}

// interrupting says that an interrupt was sent and is not answered.
func (c *calls) interrupting() bool {
	for _, s := range c.open {
		if s.kind == "interrupt" {
			return true
		}
	}
	return false
}
