package adapter

import (
	"fmt"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/price"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// maxMissed bounds how many models of one connection are told of that no price is known for.
const maxMissed = 16

// prices works out what the model requests of one connection cost, where the agent does not say it. A batch has the estimate from the prices that were
// in force when it was made: sent again, it says the same, and the log has it from then on.
type prices struct {
	book   *price.Book // nil: there are none
	model  string      // that the agent said last, where a request does not name its own
	missed map[string]bool
}

// price fills in the costs that drafts miss. For a model whose price is not known it puts a notice before the usage,
// once in a connection: the session, which would say so behind it, knows then, and where the batch ends changes nothing.
func (p *prices) price(drafts []adapters.Draft) []adapters.Draft {
	table := p.book.Now()
	for i := 0; i < len(drafts); i++ { // a notice makes the list longer
		switch d := drafts[i].(type) {
		case adapters.Ready:
			if d.Model != "" {
				p.model = d.Model
			}
		case adapters.MetaChanged:
			if m := d.Meta.Model; m != nil && *m != "" {
				p.model = *m
			}
		case adapters.Used:
			if d.Usage.Cost != nil || table == nil {
				continue
			}
			model := d.Usage.Model
			if model == "" {
				model = p.model
			}
			if rate, known := table.Of(model); known {
				d.Usage.Cost = rate.Cost(&d.Usage.Usage)
				drafts[i] = d
			} else if p.misses(model) {
				drafts = slices.Insert(drafts, i, unpriced(model))
				i++
			}
		default:
		}
	}
	return drafts
}

// misses notes that a model has no price, and says whether that is to be told.
func (p *prices) misses(model string) bool {
	if p.missed[model] || len(p.missed) == maxMissed {
		return false
	}
	if p.missed == nil {
		p.missed = map[string]bool{}
	}
	p.missed[model] = true
	return true
}

func unpriced(model string) adapters.Draft {
	named := "a model that the agent does not name"
	if model != "" {
		named = fmt.Sprintf("the model %.256s", model)
	}
	return adapters.Notice{
		Level: "warning", Kind: "price_unknown",
		Text: "What " + named + " costs is not known: neither the agent nor the price file says it. Budgets do not count it as cost.",
	}
}
