package core

import (
	"reflect"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (w *world) choose(what Setting, value string, when When) *Choose {
	c := &Choose{Setting: what, Value: value, When: when}
	w.step(c)
	return c
}

// lastSetting is the newest command that chooses: its id, and what it chooses.
func (w *world) lastSetting(t *testing.T) (id, value string) {
	t.Helper()
	for i := len(w.commands) - 1; i >= 0; i-- {
		switch c := w.commands[i].(type) {
		case adapters.SetModel:
			return c.ID, c.Model
		case adapters.SetMode:
			return c.ID, "mode " + c.Mode
		}
	}
	t.Fatal("the agent was not told")
	return "", ""
}

func wantApplied(t *testing.T, c *Choose, want Applied) {
	t.Helper()
	got, err := answered(t, c.Ticket)
	if err != nil || got.Applied != want {
		t.Fatalf("%+v, %v", got, err)
	}
}

func unanswered(t *testing.T, c *Choose) {
	t.Helper()
	if v, told := over(c.Ticket); told {
		t.Fatalf("answered before the agent: %+v", v)
	}
}

func TestChooseNow(t *testing.T) {
	for _, c := range []struct {
		result adapters.SettingResult
		want   Applied
		types  []string
	}{
		{adapters.SettingNow, AppliedNow, nil},
		{adapters.SettingNextTurn, AppliedNextTurn, []string{"session_meta"}},
	} {
		w := newWorld(t)
		ready(w)
		send(t, w, "one", "", "")
		w.say(adapters.TurnBegan{})
		asked := w.choose(SettingModel, "m-2", "")
		unanswered(t, asked)
		id, value := w.lastSetting(t)
		if value != "m-2" {
			t.Fatal(value)
		}
		from := len(w.log)
		w.say(adapters.SettingAnswered{ID: id, Result: c.result})
		wantApplied(t, asked, c.want)
		wantTypes(t, w, from, c.types...)
		from = len(w.log)
		model := "m-2"
		w.say(adapters.MetaChanged{Meta: protocol.SessionMeta{Model: &model}})
		wantTypes(t, w, from, "session_meta")
		if w.core.meta.Model != "m-2" || w.core.settings.waiting != nil {
			t.Fatalf("%s %v", w.core.meta.Model, w.core.settings.waiting)
		}
	}
}

func TestChooseWhenIdle(t *testing.T) {
	w := newWorld(t)
	ready(w)
	idle := w.choose(SettingMode, "plan", WhenIdle) // it is
	id, value := w.lastSetting(t)
	w.say(adapters.SettingAnswered{ID: id})
	wantApplied(t, idle, AppliedNow)
	if value != "mode plan" {
		t.Fatal(value)
	}
	send(t, w, "one", "", "")
	send(t, w, "two", "", "")
	w.say(adapters.TurnBegan{})
	w.commands = nil
	from := len(w.log)
	wantApplied(t, w.choose(SettingModel, "m-2", WhenIdle), AppliedWhenIdle)
	wantTypes(t, w, from, "session_meta")
	if len(w.commands) > 0 {
		t.Fatalf("%+v", w.commands)
	}
	w.say(adapters.TurnEnded{Status: protocol.TurnCompleted})
	if len(w.commands) != 2 || w.commands[0].(adapters.SetModel).Model != "m-2" || w.commands[1].(adapters.Prompt).ID != "p2" {
		t.Fatalf("the choice goes before the next prompt: %+v", w.commands)
	}
	id, _ = w.lastSetting(t)
	model := "m-2"
	from = len(w.log)
	w.say(adapters.MetaChanged{Meta: protocol.SessionMeta{Model: &model}}, adapters.SettingAnswered{ID: id})
	wantTypes(t, w, from, "session_meta")
	if p := w.log[from].Payload.(*protocol.SessionMeta); *p.Model != "m-2" || *p.PendingModel != "" {
		t.Fatalf("%+v", p)
	}
	w.say(adapters.TurnBegan{}, adapters.TurnEnded{Status: protocol.TurnCompleted})
	if len(w.commands) != 2 {
		t.Fatalf("told again: %+v", w.commands)
	}
}

func TestChooseIsRefusedByTheAgent(t *testing.T) {
	w := newWorld(t)
	ready(w)
	w.say(adapters.Offered{Models: []adapters.Choice{{ID: "m-1"}, {ID: "m-2"}}})
	c := w.choose(SettingModel, "m-9", "")
	id, _ := w.lastSetting(t)
	from := len(w.log)
	w.say(adapters.SettingAnswered{ID: id, Result: adapters.SettingRefused, Error: "no access"})
	_, err := answered(t, c.Ticket)
	if p := problemOf(t, err); p.Code != protocol.CodeInvalidRequest || !strings.Contains(p.Detail, "no access") || p.Hint != "It offers: m-1, m-2." {
		t.Fatalf("%+v", p)
	}
	wantTypes(t, w, from)

	// One that waited is dropped, and said to be.
	send(t, w, "one", "", "")
	w.say(adapters.TurnBegan{})
	w.choose(SettingModel, "m-9", WhenIdle)
	w.say(adapters.TurnEnded{Status: protocol.TurnCompleted})
	id, _ = w.lastSetting(t)
	from = len(w.log)
	w.say(adapters.SettingAnswered{ID: id, Result: adapters.SettingRefused, Error: "no access"})
	wantTypes(t, w, from, "entry_start", "entry_end", "session_meta")
	if d := w.log[from].Payload.(*protocol.EntryStart).Data.(*protocol.SystemData); d.Kind != "model_refused" || !strings.Contains(d.Text, "m-9") {
		t.Fatalf("%+v", d)
	}
	if w.core.settings.waiting != nil {
		t.Fatalf("%v", w.core.settings.waiting)
	}
}

func TestChooseWithoutAnAgent(t *testing.T) {
	for name, c := range map[string]struct {
		model string // that the agent then says it has
		told  bool
	}{
		"taken": {"m-2", false}, "does not say": {"", false}, "under another name": {"vendor/m-2", true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ready(w)
			w.step(&Park{})
			w.exit(adapters.Exit{Requested: true})
			w.core.link.parked = false
			from := len(w.log)
			wantApplied(t, w.choose(SettingModel, "m-2", ""), AppliedAtStart)
			wantTypes(t, w, from, "session_meta")
			again := New("s1", testLimits()) // the choice outlives the daemon
			replayInto(again, w)
			w.core = again
			w.step(&Recover{Reason: "daemon restarted"})
			send(t, w, "go on", "", "")
			if s := w.started[0].Spec; !s.Resume || s.Model != "m-2" {
				t.Fatalf("%+v", s)
			}
			w.attach()
			w.commands = nil
			w.say(adapters.Ready{NativeSessionID: "native", Model: c.model})
			_, told := w.commands[0].(adapters.SetModel)
			if told != c.told {
				t.Fatalf("%+v", w.commands)
			}
			if told {
				id, _ := w.lastSetting(t)
				w.say(adapters.SettingAnswered{ID: id})
			}
			if want := map[string]string{"": "m-2"}[c.model]; w.core.settings.waiting != nil || want != "" && w.core.meta.Model != want {
				t.Fatalf("%v, model %q", w.core.settings.waiting, w.core.meta.Model)
			}
		})
	}
}

// What is chosen while the agent starts is told when it is ready.
func TestChooseWhileStarting(t *testing.T) {
	w := newWorld(t)
	w.step(&Begin{Agent: "pi", Start: true})
	wantApplied(t, w.choose(SettingMode, "plan", ""), AppliedAtStart)
	w.attach()
	w.say(adapters.Ready{Mode: "build"})
	if _, value := w.lastSetting(t); value != "mode plan" {
		t.Fatal(value)
	}
}

// A session that is made with a mode starts its agent in it, and tells one that begins in another.
func TestBeginInMode(t *testing.T) {
	w := newWorld(t)
	w.step(&Begin{Agent: "pi", Start: true, Mode: "plan"})
	if got := w.started[0].Spec.Mode; got != "plan" {
		t.Fatalf("started in %q", got)
	}
	w.attach()
	w.say(adapters.Ready{Mode: "build"})
	if _, value := w.lastSetting(t); value != "mode plan" {
		t.Fatal(value)
	}
}

func TestChooseRefused(t *testing.T) {
	for _, c := range []struct {
		what  Setting
		value string
		can   adapters.Capabilities
		code  protocol.Code
	}{
		{SettingModel, "", adapters.Capabilities{Models: true}, protocol.CodeInvalidRequest},
		{SettingModel, "--model", adapters.Capabilities{Models: true}, protocol.CodeInvalidRequest},
		{SettingModel, "a\nb", adapters.Capabilities{Models: true}, protocol.CodeInvalidRequest},
		{SettingModel, strings.Repeat("x", 257), adapters.Capabilities{Models: true}, protocol.CodeInvalidRequest},
		{SettingModel, "m", adapters.Capabilities{Modes: true}, protocol.CodeNotSupported},
		{SettingMode, "plan", adapters.Capabilities{Models: true}, protocol.CodeNotSupported},
		{SettingMode, "other", adapters.Capabilities{Modes: true}, protocol.CodeInvalidRequest},
		{SettingModel, "m-9", adapters.Capabilities{Models: true}, protocol.CodeInvalidRequest},
	} {
		w := newWorld(t)
		ready(w)
		w.core.limits.Capabilities = c.can
		w.say(adapters.Offered{Models: []adapters.Choice{{ID: "m-1"}}, Modes: []adapters.Choice{{ID: "plan"}}, AllModels: true})
		from := len(w.log)
		asked := w.choose(c.what, c.value, "")
		_, err := answered(t, asked.Ticket)
		if p := problemOf(t, err); p.Code != c.code || p.Hint == "" || len(w.log) > from || len(w.commands) > 0 {
			t.Errorf("%s %.20q: %+v", c.what, c.value, p)
		}
	}
	w := newWorld(t)
	ready(w)
	w.step(&End{})
	w.exit(adapters.Exit{Requested: true})
	if _, err := answered(t, w.choose(SettingModel, "m", "").Ticket); problemOf(t, err).Code != protocol.CodeSessionEnded {
		t.Fatal(err)
	}
}

// An agent that does not answer is waited for no longer than so, and one that goes not at all.
func TestChooseUnanswered(t *testing.T) {
	w := newWorld(t)
	ready(w)
	late := w.choose(SettingModel, "m-2", "")
	id, _ := w.lastSetting(t)
	w.step(&SettingOverdue{ID: id})
	if _, err := answered(t, late.Ticket); problemOf(t, err).Code != protocol.CodeUnavailable {
		t.Fatal(err)
	}
	from := len(w.log)
	w.say(adapters.SettingAnswered{ID: id}) // nobody waits any more
	w.step(&SettingOverdue{ID: id})
	wantTypes(t, w, from)
	gone := w.choose(SettingModel, "m-2", "")
	w.exit(adapters.Exit{Code: 1})
	if _, err := answered(t, gone.Ticket); problemOf(t, err).Code != protocol.CodeUnavailable {
		t.Fatal(err)
	}
}

func TestOffers(t *testing.T) {
	w := newWorld(t)
	ready(w)
	if o := w.core.settings.offers(w.core.meta.Model); o.KnownModels || o.KnownModes {
		t.Fatalf("%+v", o)
	}
	models, modes := []adapters.Choice{{ID: "m-1", Label: "One"}}, []adapters.Choice{{ID: "plan"}}
	w.say(adapters.Offered{Models: models, AllModels: true}, adapters.Offered{Modes: modes}, adapters.Ready{Model: "m-1", Mode: "plan"})
	want := Offers{KnownModels: true, KnownModes: true, Models: models, Modes: modes, AllModels: true, Model: "m-1", Mode: "plan"}
	if o := w.core.settings.offers(w.core.meta.Model); !reflect.DeepEqual(o, want) {
		t.Fatalf("%+v", o)
	}
	w.exit(adapters.Exit{Code: 1})
	if o := w.core.settings.offers(w.core.meta.Model); o.KnownModels || o.Model != "m-1" {
		t.Fatalf("%+v", o)
	}
}

func TestImagesAreRefused(t *testing.T) {
	w := newWorld(t)
	ready(w)
	w.core.limits.Capabilities.Images = false
	p := prompt("look", "")
	p.Prompt.Images = []string{"sha256:00;image/png"}
	from := len(w.log)
	w.step(p)
	_, err := answered(t, p.Ticket)
	if p := problemOf(t, err); p.Code != protocol.CodeNotSupported || len(w.log) > from {
		t.Fatalf("%+v", p)
	}
}
