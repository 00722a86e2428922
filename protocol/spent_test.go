package protocol_test

import (
	"encoding/json"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestSpent counts small logs by hand: what is spent, what is time at work, and what is neither.
// Proves: I13.11/spent
func TestSpent(t *testing.T) {
	const use = `"usage":{"inputTokens":100,"cachedInputTokens":60,"outputTokens":20,"reasoningOutputTokens":5,"totalTokens":120}`
	for name, c := range map[string]struct {
		log  []string // without seq
		want string
	}{
		"a model request": {
			[]string{`{"ts":1,"type":"token_usage",` + use + `,"cost":{"input":0,"output":0,"cacheRead":0,"total":0.0012345}}`},
			`{"totalTokens":120,"inputTokens":100,"cachedInputTokens":60,"outputTokens":20,"reasoningOutputTokens":5,"costMicros":1235,"turns":0,"toolCalls":0,"children":0,"workMs":0}`,
		},
		"an estimate beside what the agent says, and less than nothing": {
			[]string{
				`{"ts":1,"type":"token_usage",` + use + `,"cost":{"input":0,"output":0,"cacheRead":0,"total":0.5}}`,
				`{"ts":1,"type":"token_usage",` + use + `,"cost":{"input":0,"output":0,"cacheRead":0,"total":0.25,"estimated":true}}`,
				`{"ts":1,"type":"token_usage","usage":{"inputTokens":-5,"cachedInputTokens":0,"outputTokens":1,"totalTokens":-4},"cost":{"input":0,"output":0,"cacheRead":0,"total":-7}}`,
			},
			`{"totalTokens":240,"inputTokens":200,"cachedInputTokens":120,"outputTokens":41,"reasoningOutputTokens":10,"costMicros":750000,"estimatedMicros":250000,"turns":0,"toolCalls":0,"children":0,"workMs":0}`,
		},
		"the agent's running total is no usage": {
			[]string{`{"ts":1,"type":"token_usage","usage":{"inputTokens":1,"cachedInputTokens":0,"outputTokens":1,"totalTokens":2},"sessionTotal":{"inputTokens":900,"cachedInputTokens":0,"outputTokens":900,"totalTokens":1800}}`},
			`{"totalTokens":2,"inputTokens":1,"cachedInputTokens":0,"outputTokens":1,"costMicros":0,"turns":0,"toolCalls":0,"children":0,"workMs":0}`,
		},
		"a turn with a call, and a person who takes an hour": {
			[]string{
				`{"ts":1000,"type":"turn_start","turnId":"t1"}`,
				`{"ts":1500,"type":"entry_start","turnId":"t1","entryId":"e1","entryType":"tool_call","data":{"toolName":"bash","callId":"c1","status":"pending"}}`,
				`{"ts":2000,"type":"status","state":"awaiting_approval","agentStatus":"running_tool"}`,
				`{"ts":3602000,"type":"status","state":"running_tool","agentStatus":"running_tool"}`,
				`{"ts":3603000,"type":"entry_end","turnId":"t1","entryId":"e1","entryType":"tool_call","data":{"toolName":"bash","callId":"c1","status":"completed"}}`,
				`{"ts":3604000,"type":"turn_end","turnId":"t1","status":"completed"}`,
				`{"ts":9999999,"type":"status","state":"idle","agentStatus":"idle"}`,
			},
			`{"totalTokens":0,"inputTokens":0,"cachedInputTokens":0,"outputTokens":0,"costMicros":0,"turns":1,"toolCalls":1,"children":0,"workMs":3000}`,
		},
		"a daemon that was gone for a day": {
			[]string{
				`{"ts":1000,"type":"turn_start","turnId":"t1"}`,
				`{"ts":1200,"type":"entry_start","turnId":"t1","entryId":"e1","entryType":"assistant_message","data":{"role":"assistant","text":""}}`,
				`{"ts":86401000,"type":"entry_end","turnId":"t1","entryId":"e1","entryType":"assistant_message","data":{"role":"assistant","text":""},"incomplete":true,"reason":"daemon restarted"}`,
				`{"ts":86401000,"type":"turn_end","turnId":"t1","status":"interrupted","cause":"daemon"}`,
				`{"ts":86401000,"type":"status","state":"idle","agentStatus":"idle"}`,
			},
			`{"totalTokens":0,"inputTokens":0,"cachedInputTokens":0,"outputTokens":0,"costMicros":0,"turns":1,"toolCalls":0,"children":0,"workMs":200}`,
		},
		"at work still": {
			[]string{
				`{"ts":1000,"type":"turn_start","turnId":"t1"}`, `{"ts":1700,"type":"status","state":"responding","agentStatus":"responding"}`,
				`{"ts":5000,"type":"entry_delta","entryId":"e1","delta":{"op":"text_append","text":"x"}}`,
			},
			`{"totalTokens":0,"inputTokens":0,"cachedInputTokens":0,"outputTokens":0,"costMicros":0,"turns":0,"toolCalls":0,"children":0,"workMs":700,"workingSince":1700}`,
		},
		"a child is told of again": {
			[]string{
				`{"ts":1,"type":"child_session","childSessionId":"a"}`, `{"ts":2,"type":"child_session","childSessionId":"b"}`,
				`{"ts":3,"type":"child_session","childSessionId":"a","turnId":"t1","turnStatus":"completed"}`,
			},
			`{"totalTokens":0,"inputTokens":0,"cachedInputTokens":0,"outputTokens":0,"costMicros":0,"turns":0,"toolCalls":0,"children":2,"workMs":0}`,
		},
		"sums end": {
			[]string{
				`{"ts":1,"type":"token_usage","usage":{"inputTokens":9007199254740991,"cachedInputTokens":0,"outputTokens":1,"totalTokens":9007199254740991},"cost":{"input":0,"output":0,"cacheRead":0,"total":1e300}}`,
				`{"ts":1,"type":"token_usage","usage":{"inputTokens":9007199254740991,"cachedInputTokens":0,"outputTokens":1,"totalTokens":1}}`,
			},
			`{"totalTokens":9007199254740991,"inputTokens":9007199254740991,"cachedInputTokens":0,"outputTokens":2,"costMicros":9007199254740991,"turns":0,"toolCalls":0,"children":0,"workMs":0}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var s protocol.SessionState
			for i, line := range c.log {
				e, err := protocol.Decode([]byte(line[:1] + `"seq":` + string(rune('1'+i)) + `,` + line[1:]))
				if err != nil {
					t.Fatal(err)
				}
				s.Apply(&e)
				s.Apply(&e) // one that comes twice counts once
			}
			var state struct {
				Spent json.RawMessage `json:"spent"`
			}
			if err := json.Unmarshal(s.AppendJSON(nil), &state); err != nil || string(state.Spent) != c.want {
				t.Errorf("got\n%s\nwant\n%s (%v)", state.Spent, c.want, err)
			}
		})
	}
}
