package droid_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// The short way for deltas takes what the long way does, and leaves the rest to it.
func TestDeltaForms(t *testing.T) {
	const tail = `"textDelta":"a\u00e9\n"}}`
	for _, line := range []string{
		`{"jsonrpc":"2.0","type":"notification","method":"droid.session_notification","params":{"sessionId":"S","notification":{"type":"assistant_text_delta","messageId":"m1","blockIndex":0,` + tail + `,"_meta":{"x":"}"}}`,
		` {"params":{"notification":{"blockIndex":0,"messageId":"m1","type":"assistant_text_delta",` + tail + `,"method":"droid.session_notification","type":"notification"} `,
		`{"type":"notification","method":"droid.session_notification","params":{"notification":{"type":"assistant_text_delta","messageId":"\u006d1","blockIndex":0,` + tail + `}`,
		`{"type":"notification","method":"droid.session_notification","params":{"notification":{"type":"assistant_text_delta","messageId":"m1",` + tail + `}`,
	} {
		c := standing(t, adapters.Spec{})
		c.line(line)
		c.want("turn began", `entry 1 opened: assistant_message round 1 id m1 {"role":"assistant","text":""}`, `entry 1 changed: {"op":"text_append","text":"aé\n"}`)
	}
}
