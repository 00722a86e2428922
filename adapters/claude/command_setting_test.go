package claude_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

func TestSettings(t *testing.T) {
	c := ready(t).command(adapters.SetModel{ID: "s1", Model: "opus"}).
		want("> {\"type\":\"control_request\",\"request_id\":\"rm-2\",\"request\":{\"subtype\":\"set_model\",\"model\":\"opus\"}}\n")
	c.line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-2","response":{"model":"claude-opus-5-5"}}}`).
		want("setting s1 now\nmeta: \"model\":\"claude-opus-5-5\"}\n")
	c.command(adapters.SetMode{ID: "s2", Mode: "moon"}).
		want("> {\"type\":\"control_request\",\"request_id\":\"rm-3\",\"request\":{\"subtype\":\"set_permission_mode\",\"mode\":\"moon\"}}\n")
	c.line(`{"type":"control_response","response":{"subtype":"error","request_id":"rm-3","error":"no such mode"}}`).want("setting s2 refused no such mode\n")
	c.line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-3","response":{"mode":"plan"}}}`).want("") // answered already
	c.line(`{"type":"system","subtype":"status","status":null,"permissionMode":"plan"}`).want("meta: \"mode\":\"plan\"}\n")
}
