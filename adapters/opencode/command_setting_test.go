package opencode_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

func TestSettings(t *testing.T) {
	x := begun(t)
	x.command(adapters.SetModel{ID: "a", Model: "other"}, "setting a next turn")
	x.command(adapters.SetMode{ID: "b", Mode: "plan"}, "setting b next turn")
	prompt := `>"method":"POST","path":"/session/ses_1/prompt_async","body":{"model":{"providerID":"p","modelID":"other"},"agent":"plan","parts":[{"type":"text","text":"1"}]}}`
	x.command(adapters.Prompt{ID: "p1", Text: "1"}, prompt)
	x.status("busy", "turn began", "phase: responding")
	x.message("msg_a", "assistant", `,"providerID":"p","modelID":"other","agent":"plan"`, `meta: "model":"p/other","mode":"plan"}`)
	x.command(adapters.Prompt{ID: "p2", Text: "2"}, `>"method":"POST","path":"/session/ses_1/prompt_async","body":{"parts":[{"type":"text","text":"2"}]}}`)
	x.command(adapters.SetMode{ID: "c", Mode: ""}, `setting c refused OpenCode has no mode *`)
	x.command(adapters.SetModel{ID: "d", Model: ""}, `setting d refused OpenCode has no model *`)

	x = newTalk(t, adapters.Spec{NativeSessionID: "ses_1"})
	x.says(x.tr.Start)
	x.command(adapters.SetModel{ID: "a", Model: "what"}, "setting a next turn") // nothing is known yet
	x.command(adapters.Prompt{ID: "p1", Text: "1"}, `notice: warning model_unknown *`, `>"method":"POST","path":"/session/ses_1/prompt_async","body":{"parts":[{"type":"text","text":"1"}]}}`)
}
