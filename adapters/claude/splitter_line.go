package claude

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// labels are the members by which a line finds its lane.
type labels struct {
	kind, subtype          string
	parent                 string // parent_tool_use_id
	toolUse, task, agent   string
	taskType, subagentType string
	request                string // request_id
	body                   []byte // the value of request or response
	background             bool
}

// readLabels reads them.
func readLabels(line []byte) (l labels) {
	m := native.Scan(line)
	for {
		key, value, ok := m.Next()
		if !ok {
			return l
		}
		switch string(key) {
		case "type":
			l.kind = native.Text(value)
		case "subtype":
			l.subtype = native.Text(value)
		case "parent_tool_use_id":
			l.parent = native.Text(value)
		case "tool_use_id":
			l.toolUse = native.Text(value)
		case "task_id":
			l.task = native.Text(value)
		case "agent_id":
			l.agent = native.Text(value)
		case "task_type":
			l.taskType = native.Text(value)
		case "subagent_type":
			l.subagentType = native.Text(value)
		case "request_id":
			l.request = native.Text(value)
		case "request", "response":
			l.body = value
		case "is_backgrounded":
			l.background = string(value) == "true"
		}
	}
}

// parentOfNone says that a line is the main agent's, as nearly all are in a busy session.
var parentOfNone = []byte(`"parent_tool_use_id":null,`)

// isPlain says that a line is of the main agent's stream: that is told without a look at the names of its members, where the
// rest of the line holds no object that could have them too.
func isPlain(line []byte) bool {
	if !bytes.HasPrefix(line, eventHead) {
		return false
	}
	i := bytes.Index(line, parentOfNone)
	return i >= 0 && bytes.IndexByte(line[i:], '{') < 0 && bytes.IndexByte(line[i:len(line)-1], '}') < 0 && line[len(line)-1] == '}'
}

// contents are the blocks of a line's message.
func contents(line []byte) []contentWire {
	var e struct {
		Message message `json:"message"`
	}
	_ = native.Decode(line, &e)
	return blocks(e.Message.Content)
}

// responseID is the request that a response answers.
func responseID(body []byte) string {
	var r struct {
		RequestID string `json:"request_id"`
	}
	_ = native.Decode(body, &r)
	return r.RequestID
}

// movedToBackground says that a call no longer waits for its sub-agent.
func movedToBackground(line []byte) bool {
	var e struct {
		Patch struct {
			Backgrounded bool `json:"is_backgrounded"`
		} `json:"patch"`
	}
	_ = native.Decode(line, &e)
	return e.Patch.Backgrounded
}
