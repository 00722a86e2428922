package pi_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Models are offered when Pi has told them, and chosen by its own answer.
func TestSetModel(t *testing.T) {
	c := begin(t, adapters.Spec{Version: "1.5.2"}).Line(stateLine).Quiet()
	c.Line(`{"id":"rm-models","type":"response","command":"get_available_models","success":true,"data":{"models":[` +
		`{"id":"m","name":"One","provider":"p"},{"id":"a/b","provider":"q"},{"name":"nameless"}]}}`).Want(`
offered: models ["p/m"="One" "q/a/b"=""] modes as before
`)
	c.Command(adapters.SetModel{ID: "s1", Model: "q/a/b"}).Want(`
> {"id":"rm-2","type":"set_model","provider":"q","modelId":"a/b"}
`)
	c.Line(`{"id":"rm-2","type":"response","command":"set_model","success":true,"data":{"id":"a/b","provider":"q"}}`).Want(`
meta: "model":"q/a/b"}
setting s1 now
`)
	c.Command(adapters.SetModel{ID: "s2", Model: "p/ghost"}).Quiet()
	c.Line(`{"id":"rm-3","type":"response","command":"set_model","success":false,"error":"Model not found: p/ghost"}`).Want(`
setting s2 refused Model not found: p/ghost
`)
	// An answer to somebody else's set_model is none to ours.
	c.Line(`{"id":"c9","type":"response","command":"set_model","success":true,"data":{"id":"m","provider":"p"}}`).Want(`
meta: "model":"p/m"}
`)
	c.Command(adapters.SetModel{ID: "s3", Model: "m"}).Want(`
setting s3 refused a model of Pi is named "provider/model"
`)
	c.Command(adapters.SetMode{ID: "s4", Mode: "high"}).Want(`
setting s4 refused Pi has no modes to choose from
`)
}
