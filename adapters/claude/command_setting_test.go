package claude_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

func TestSettings(t *testing.T) {
	c := ready(t).Command(adapters.SetModel{ID: "s1", Model: "opus"}).
		Want("> {\"type\":\"control_request\",\"request_id\":\"rm-2\",\"request\":{\"subtype\":\"set_model\",\"model\":\"opus\"}}\n")
	c.Line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-2","response":{"model":"claude-opus-5-5"}}}`).
		Want("setting s1 now\nmeta: \"model\":\"claude-opus-5-5\"}\n")
	c.Command(adapters.SetMode{ID: "s2", Mode: "moon"}).
		Want("> {\"type\":\"control_request\",\"request_id\":\"rm-3\",\"request\":{\"subtype\":\"set_permission_mode\",\"mode\":\"moon\"}}\n")
	c.Line(`{"type":"control_response","response":{"subtype":"error","request_id":"rm-3","error":"no such mode"}}`).Want("setting s2 refused no such mode\n")
	c.Line(`{"type":"control_response","response":{"subtype":"success","request_id":"rm-3","response":{"mode":"plan"}}}`).Want("") // answered already
	c.Line(`{"type":"system","subtype":"status","status":null,"permissionMode":"plan"}`).Want("meta: \"mode\":\"plan\"}\n")
}
