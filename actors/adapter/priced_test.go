package adapter

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/price"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func bookOf(t *testing.T, text string) *price.Book {
	t.Helper()
	table, err := price.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	b := new(price.Book)
	b.Set(table)
	return b
}

func costsOf(drafts []adapters.Draft) string {
	var list []string
	for _, d := range drafts {
		switch d := d.(type) {
		case adapters.Used:
			switch c := d.Usage.Cost; {
			case c == nil:
				list = append(list, "free")
			case c.Estimated:
				list = append(list, fmt.Sprintf("~%g", c.Total))
			default:
				list = append(list, fmt.Sprintf("%g", c.Total))
			}
		case adapters.Notice:
			list = append(list, d.Kind)
		default:
		}
	}
	return strings.Join(list, " ")
}

func used(model string, cost *protocol.Cost) adapters.Draft {
	return adapters.Used{Usage: protocol.TokenUsage{Model: model, Cost: cost, Usage: protocol.Usage{InputTokens: 1_000_000, TotalTokens: 1_000_000}}}
}

// TestPriced: a batch has the estimate of a cost that the agent does not tell, by the model of the request or else the session's, at the prices in force when it is
// made. What the agent tells counts as it is, and a model without a price is told of once.
//
// Proves: I13.11/prices
func TestPriced(t *testing.T) {
	book := bookOf(t, `{"a": {"input": 2, "output": 1}, "b": {"input": 3, "output": 1}}`)
	p := &port{prices: prices{book: book}, window: newWindow(1, 1)}
	name := "b"
	for i, c := range []struct {
		drafts []adapters.Draft
		want   string
	}{
		{[]adapters.Draft{used("a", nil), used("a", &protocol.Cost{Total: 7})}, "~2 7"},
		{[]adapters.Draft{used("", nil)}, "price_unknown free"},
		{[]adapters.Draft{adapters.Ready{Model: "a"}, used("", nil)}, "~2"},
		{[]adapters.Draft{used("", nil), adapters.MetaChanged{Meta: protocol.SessionMeta{Model: &name}}, used("", nil)}, "~2 ~3"},
		{[]adapters.Draft{used("c", nil), used("c", nil), used("", nil)}, "price_unknown free free ~3"},
		{[]adapters.Draft{used("c", nil), used("d", nil)}, "free price_unknown free"},
	} {
		for _, d := range c.drafts {
			p.out.Draft(d)
		}
		b, _ := p.batch(nil)
		if got := costsOf(b.Drafts); got != c.want {
			t.Errorf("%d: %s, want %s", i, got, c.want)
		}
	}

	p.out.Draft(used("a", nil))
	before, _ := p.batch(nil)
	book.Set(nil)
	p.out.Draft(used("a", nil))
	p.out.Draft(used("e", nil))
	after, _ := p.batch(nil)
	if got := costsOf(before.Drafts) + ", " + costsOf(after.Drafts); got != "~2, free free" {
		t.Errorf("the prices have gone: %s", got)
	}
	for i := range 2 * maxMissed {
		book.Set(new(price.Table))
		p.out.Draft(used(fmt.Sprint("many ", i), nil))
	}
	if b, _ := p.batch(nil); strings.Count(costsOf(b.Drafts), "price_unknown") > maxMissed {
		t.Error("an agent that names ever more models fills the log")
	}
}

// TestPricedRecording: a real agent that tells tokens alone, as it was recorded.
//
// Proves: I13.11/prices
func TestPricedRecording(t *testing.T) {
	raw, err := os.ReadFile("../../adapters/codex/testdata/recordings/multi-turn.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	player := replay.New(codex.Agent{}, func(s *replay.Session) string { return fmt.Sprint(s.Number) })
	p := prices{book: bookOf(t, `{"*": {"input": 1, "cachedInput": 0.5, "output": 2}}`)}
	var requests int
	for r, err := range recording.Read(bytes.NewReader(raw)) {
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range player.Play(r) {
			for _, d := range p.price(append([]adapters.Draft{}, said.Drafts...)) {
				u, is := d.(adapters.Used)
				if !is {
					continue
				}
				requests++
				n := &u.Usage.Usage
				want := (float64(n.InputTokens-n.CachedInputTokens) + 0.5*float64(n.CachedInputTokens) + 2*float64(n.OutputTokens)) / 1e6
				if c := u.Usage.Cost; c == nil || !c.Estimated || c.Micros() != (&protocol.Cost{Total: want}).Micros() || c.Total == 0 {
					t.Errorf("%+v: %+v, want %g", n, c, want)
				}
			}
		}
	}
	if requests < 2 {
		t.Errorf("%d requests in the recording", requests)
	}
}
