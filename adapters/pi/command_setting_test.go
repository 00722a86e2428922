package pi_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Models are offered when Pi has told them, and chosen by its own answer.
func TestSetModel(t *testing.T) {
	c := begin(t, adapters.Spec{Version: "1.5.2"}).line(stateLine).quiet()
	c.line(`{"id":"rm-models","type":"response","command":"get_available_models","success":true,"data":{"models":[` +
		`{"id":"m","name":"One","provider":"p"},{"id":"a/b","provider":"q"},{"name":"nameless"}]}}`).want(`
offered: models ["p/m"="One" "q/a/b"=""] modes as before
`)
	c.command(adapters.SetModel{ID: "s1", Model: "q/a/b"}).want(`
> {"id":"rm-2","type":"set_model","provider":"q","modelId":"a/b"}
`)
	c.line(`{"id":"rm-2","type":"response","command":"set_model","success":true,"data":{"id":"a/b","provider":"q"}}`).want(`
meta: "model":"q/a/b"}
setting s1 now
`)
	c.command(adapters.SetModel{ID: "s2", Model: "p/ghost"}).quiet()
	c.line(`{"id":"rm-3","type":"response","command":"set_model","success":false,"error":"Model not found: p/ghost"}`).want(`
setting s2 refused Model not found: p/ghost
`)
	// An answer to somebody else's set_model is none to ours.
	c.line(`{"id":"c9","type":"response","command":"set_model","success":true,"data":{"id":"m","provider":"p"}}`).want(`
meta: "model":"p/m"}
`)
	c.command(adapters.SetModel{ID: "s3", Model: "m"}).want(`
setting s3 refused a model of Pi is named "provider/model"
`)
	c.command(adapters.SetMode{ID: "s4", Mode: "high"}).want(`
setting s4 refused Pi has no modes to choose from
`)
}
