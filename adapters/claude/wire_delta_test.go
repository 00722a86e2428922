package claude

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The short way takes the deltas of the agent whose translator it is, and leaves all else to the long one.
func TestShortWay(t *testing.T) {
	head := `{"type":"stream_event","event":`
	text := head + `{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"a\n"}}`
	for _, c := range []struct {
		name, line, self string
		want             delta
		ok               bool
	}{
		{"of the main agent", text + `,"parent_tool_use_id":null}`, "", delta{2, protocol.EntryAssistantMessage, "a\n"}, true},
		{"without a parent", text + `}`, "", delta{2, protocol.EntryAssistantMessage, "a\n"}, true},
		{"of a sub-agent", text + `,"parent_tool_use_id":"t1"}`, "t1", delta{2, protocol.EntryAssistantMessage, "a\n"}, true},
		{"of another one", text + `,"parent_tool_use_id":"t2"}`, "t1", delta{}, false},
		{"of a sub-agent of the main agent's", text + `,"parent_tool_use_id":"t1"}`, "", delta{}, false},
		{"of a number", text + `,"parent_tool_use_id":5}`, "t1", delta{}, false},
		{"of a number, for the main agent", text + `,"parent_tool_use_id":5}`, "", delta{}, false},
		{"of what is no JSON", text + `,"parent_tool_use_id":null;"uuid":"u"}`, "", delta{}, false},
		{
			"in another order", head + `{"delta":{"partial_json":"{","type":"input_json_delta"},"index":0,"type":"content_block_delta"}}`, "",
			delta{0, protocol.EntryToolCall, "{"},
			true,
		},
		{"a thought", head + `{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"x"}}}`, "", delta{0, protocol.EntryThinking, "x"}, true},
		{"a signature", head + `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x"}}}`, "", delta{}, true},
		{"of another kind", head + `{"type":"content_block_delta","index":0,"delta":{"type":"moon_delta","text":"x"}}}`, "", delta{}, false},
		{"without a kind", head + `{"type":"content_block_delta","index":0,"delta":{"text":"x"}}}`, "", delta{}, false},
		{"without an index", head + `{"type":"content_block_delta","delta":{"type":"text_delta","text":"x"}}}`, "", delta{}, false},
		{"of another event", head + `{"type":"content_block_start","index":0,"delta":{"type":"text_delta","text":"x"}}}`, "", delta{}, false},
		{"broken", text + `,"parent_tool_use_id":null}}`, "", delta{}, false},
		{"cut off", text, "", delta{}, false},
	} {
		got, ok := readDelta([]byte(c.line), c.self)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s: %+v, %t", c.name, got, ok)
		}
	}
}
