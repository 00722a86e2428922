package claude_test

import (
	"fmt"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
)

type talk = conformance.Talk

func begin(t *testing.T, spec adapters.Spec) *talk {
	return conformance.Begin(t, claude.Agent{}.Translator(spec))
}

// ready is a conversation behind its handshake.
func ready(t *testing.T) *talk {
	return begin(t, adapters.Spec{SessionID: "s"}).
		Line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-1","response":{"claude_code_version":"2.1.328"}}}`).Quiet()
}

const (
	turnInit  = `{"type":"system","subtype":"init","session_id":"n","model":"m","permissionMode":"default"}`
	turnEnd   = `{"type":"result","subtype":"success","is_error":false,"terminal_reason":"completed"}`
	toolUse   = `{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}`
	messageM1 = `{"type":"stream_event","event":{"type":"message_start","message":{"id":"m1"}}}`
)

func lifecycle(uuid, state string) string {
	return `{"type":"command_lifecycle","command_uuid":"` + uuid + `","state":"` + state + `"}`
}

func delta(index int, text string) string {
	return fmt.Sprintf(`{"type":"stream_event","event":{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":%q}},"parent_tool_use_id":null}`, index, text)
}

func says(id, text, more string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"content":[{"type":"text","text":%q}]}%s}`, id, text, more)
}

func result(id, content, more string) string {
	return fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":%q,"content":%s}]}%s}`, id, content, more)
}
