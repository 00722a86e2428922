package claude_test

import "testing"

// News beside the turns: what a reader should see, what is known and left out, and what is kept as it is.
func TestAside(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"type":"system","subtype":"informational","content":"Mind the gap","level":"warning"}`, `notice: warning informational "Mind the gap"`},
		{`{"type":"system","subtype":"informational","content":"By the way","level":"suggestion"}`, `notice: info informational "By the way"`},
		{`{"type":"system","subtype":"model_fallback","content":"Another model answers"}`, `notice: warning model_fallback "Another model answers"`},
		{`{"type":"system","subtype":"session_title_changed","title":"A tale"}`, `meta: "title":"A tale"}`},
		{`{"type":"system","subtype":"local_command_output","content":"42"}`, `notice: info local_command_output "42"`},
		{`{"type":"system","subtype":"task_notification","tool_use_id":"x","status":"failed","summary":"It broke"}`, `notice: warning background_task "It broke"`},
		{`{"type":"rate_limit_event","rate_limit_info":{"status":"allowed"}}`, ""},
		{`{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","rateLimitType":"five_hour"}}`, `notice: warning rate_limit "The provider's rate limit: rejected five_hour"`},
		{`{"type":"auth_status","isAuthenticating":false,"error":"expired"}`, `notice: error auth_status "expired"`},
		{`{"type":"system","subtype":"task_progress"}`, ""},
		{`{"type":"keep_alive"}`, ""},
		{``, ""},
		{`{"type":"system","subtype":"moon_phase","n":1}`, `native: system.moon_phase {"type":"system","subtype":"moon_phase","n":1}`},
		{`{"type":"moon_phase"}`, `native: moon_phase {"type":"moon_phase"}`},
		{`{"n":1}`, `native: unknown {"n":1}`},
		{`{"type":"stream_event","event":{"type":"moon"}}`, `native: stream_event.moon {"type":"stream_event","event":{"type":"moon"}}`},
		{
			`{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"moon_delta"}}}`,
			`native: stream_event.delta.moon_delta {"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"moon_delta"}}}`,
		},
		{`Segmentation fault`, `notice: warning unparsable_line "Segmentation fault"`},
		{`{"type":"assistant"`, `notice: warning unparsable_line "{\"type\":\"assistant\""`},
		{`[1]`, `notice: warning unparsable_line "[1]"`},
	} {
		want := c.want
		if want != "" {
			want += "\n"
		}
		ready(t).Line(c.line).Want(want)
	}
}

// /clear begins another session in the same process.
func TestReset(t *testing.T) {
	ready(t).Line(turnInit).Quiet().Line(`{"type":"conversation_reset","new_conversation_id":"x","trigger":"clear"}`,
		`{"type":"system","subtype":"init","session_id":"n2","model":"m","permissionMode":"default"}`).
		Want("session left for a new one\nmeta: \"nativeSessionId\":\"n2\"}\n")
}
