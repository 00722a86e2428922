package droid_test

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

func TestSettings(t *testing.T) {
	c := standing(t, adapters.Spec{})
	c.command(adapters.SetModel{ID: "s1", Model: "other"})
	c.event(`{"type":"settings_updated","requestId":"rm-2","settings":{"modelId":"other","interactionMode":"auto","autonomyLevel":"off"}}`)
	c.line(response("rm-2", `{}`))
	c.want(`> rm-2 update_session_settings {"modelId":"other"}`, `meta: "model":"other"}`, "setting s1 now")
	c.command(adapters.SetMode{ID: "s2", Mode: "auto-high"})
	c.line(response("rm-3", `{}`))
	c.want(`> rm-3 update_session_settings {"interactionMode":"auto","autonomyLevel":"high"}`, `meta: "mode":"auto-high"}`, "setting s2 now")
	c.command(adapters.SetMode{ID: "s3", Mode: "spec"})
	c.line(failure("rm-4", "not now"))
	c.want(`> rm-4 update_session_settings {"interactionMode":"spec"}`, "setting s3 refused not now")
	for _, mode := range []string{"", "auto-off", "auto-", "agi"} {
		c.command(adapters.SetMode{ID: "s4", Mode: mode})
	}
	c.command(adapters.SetModel{ID: "s5"})
	refusals := of[adapters.SettingAnswered](c.said)[3:]
	if len(refusals) != 5 || refusals[4].ID != "s5" || refusals[0].Result != adapters.SettingRefused {
		t.Errorf("got %+v", refusals)
	}
	c.text.Reset()
	c.event(`{"type":"settings_updated","settings":{"interactionMode":"agi","autonomyLevel":"high"}}`)
	c.event(`{"type":"session_title_updated","title":"T"}`)
	c.want(`meta: "mode":"agi"}`, `meta: "title":"T"}`)
}
