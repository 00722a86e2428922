package codex

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestLate: so many commands wait and no more. An interrupt forgets the prompts; steers the session takes back itself.
func TestLate(t *testing.T) {
	var w late
	w.add(adapters.SetModel{ID: "s"})
	w.add(adapters.Prompt{ID: "a"})
	w.add(adapters.Prompt{ID: "b", Steer: true})
	if back := w.takeBack(); len(back) != 1 || back[0].ID != "a" || len(w) != 1 {
		t.Errorf("%v came back, %v waits", back, w)
	}
	for len(w) < maxLate {
		if !w.add(adapters.SetMode{}) {
			t.Fatalf("%d commands wait, and there is no room", len(w))
		}
	}
	if w.add(adapters.SetMode{}) || len(w) != maxLate {
		t.Errorf("%d commands wait", len(w))
	}
}

func answers(out *adapters.Output) string {
	var b strings.Builder
	for _, d := range out.Drafts {
		a := d.(adapters.PromptAnswered)
		fmt.Fprintf(&b, "%s %s\n", a.ID, map[adapters.PromptResult]string{
			adapters.PromptStarted: "started", adapters.PromptHandled: "handled", adapters.PromptRefused: "refused",
		}[a.Result])
	}
	for _, l := range out.Lines {
		fmt.Fprintf(&b, "%s %s\n", text(l, "method"), text(member(l, "params"), "clientUserMessageId"))
	}
	return b.String()
}

// TestSettle: what becomes of prompts whose answers were lost with the connection.
func TestSettle(t *testing.T) {
	for _, c := range []struct {
		name   string
		turn   turn // when the thread is joined again
		change func(p *prompts)
		want   string
	}{
		{"the server has them", turn{}, func(p *prompts) { p.took("a", nil); p.took("b", nil) }, "a started\nb started\n"},
		{"one of them", turn{}, func(p *prompts) { p.took("b", nil) }, "b started\nturn/start a\n"},
		{"none of them: the second goes into the first one's turn", turn{}, func(*prompts) {}, "turn/start a\n"},
		{"taken back", turn{}, func(p *prompts) { p.takeBack() }, "a refused\nb refused\n"},
		{"a turn runs and may take them", turn{on: true, id: "1"}, func(*prompts) {}, ""},
		{"sent again and again", turn{}, func(p *prompts) { p.unsure[0].prompt.tries = maxTries }, "a refused\nturn/start b\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out adapters.Output
			p, l := prompts{images: map[string][]string{}}, newLink("A")
			p.send(adapters.Prompt{ID: "a"}, &turn{}, &l, &out)
			p.send(adapters.Prompt{ID: "b"}, &turn{}, &l, &out)
			p.lose()
			c.change(&p)
			out = adapters.Output{}
			p.settle(&c.turn, &l, &out)
			if got := answers(&out); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// TestDoubtful: a running turn that may have taken a prompt has by its message; one that ends without it never has, and the prompt starts a turn.
func TestDoubtful(t *testing.T) {
	for _, taken := range []bool{true, false} {
		var out adapters.Output
		p, l, r := prompts{images: map[string][]string{}}, newLink("A"), turn{on: true, id: "1"}
		p.send(adapters.Prompt{ID: "a", Steer: true}, &r, &l, &out)
		p.lose()
		p.settle(&r, &l, &out)
		out = adapters.Output{}
		want := "turn/start a\n"
		if taken {
			want = "a handled\n"
			p.took("a", &out)
		}
		p.ended(&turn{}, &l, &out)
		if got := answers(&out); got != want {
			t.Errorf("taken %v: %q", taken, got)
		}
	}
}

// TestOffer: models come in pages, each once, and hidden ones not; a page that was lost with the connection is to be asked for again.
func TestOffer(t *testing.T) {
	var o offer
	var out adapters.Output
	l := newLink("A")
	page := func(models, next string) {
		t.Helper()
		var p modelPage
		p.Next = next
		for _, m := range strings.Fields(models) {
			p.Data = append(p.Data, struct {
				ID     string `json:"id"`
				Model  string `json:"model"`
				Name   string `json:"displayName"`
				Hidden bool   `json:"hidden"`
			}{ID: m, Hidden: strings.HasPrefix(m, "h")})
		}
		o.listed(l.take(fmt.Appendf(nil, `"t%d"`, l.ids)), p, &l, &out)
	}
	o.ask(&l, &out)
	page("a b", "2")
	if len(out.Drafts) != 0 {
		t.Fatal("said before the last page")
	}
	page("b h c", "")
	got := out.Drafts[0].(adapters.Offered)
	if len(got.Models) != 3 || got.Models[2].ID != "c" || len(got.Modes) != len(modes) {
		t.Errorf("%+v", got)
	}
	if o.lose(); o.again {
		t.Error("nothing was under way")
	}
	o.ask(&l, &out)
	if o.lose(); !o.again {
		t.Error("what was lost is not asked for again")
	}
}
