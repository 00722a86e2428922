package price

import (
	"math"
	"strings"
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Rate is what a model costs, in US dollars for a million tokens.
type Rate struct {
	Input           float64 // of the input that did not come from the provider's cache
	CachedInput     float64 // of the input that did
	Output          float64 // of the output that was no reasoning
	ReasoningOutput float64
}

// Table has the rates of a price file. It does not change. A nil Table has none.
type Table struct {
	named map[string]Rate
	globs []glob // the most letters first; of as many, in the order of the file
}

// glob is a pattern in which * stands for any text.
type glob struct {
	parts   []string // between the stars: two at least
	letters int
	rate    Rate
}

// Of is the rate of a model: by its own name, else by the pattern that has the most letters beside its stars.
func (t *Table) Of(model string) (Rate, bool) {
	if t == nil || model == "" {
		return Rate{}, false
	}
	if r, is := t.named[model]; is {
		return r, true
	}
	for i := range t.globs {
		if t.globs[i].fits(model) {
			return t.globs[i].rate, true
		}
	}
	return Rate{}, false
}

// fits takes each part where it comes first, which leaves the most room for those behind it.
func (g *glob) fits(name string) bool {
	first, last := g.parts[0], g.parts[len(g.parts)-1]
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	rest := name[len(first) : len(name)-len(last)]
	for _, part := range g.parts[1 : len(g.parts)-1] {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return true
}

// Cost is what one model request costs. What an agent says is taken within its own bounds: no part is below zero, or more than the whole.
func (r Rate) Cost(u *protocol.Usage) *protocol.Cost {
	input, output := max(u.InputTokens, 0), max(u.OutputTokens, 0)
	cached := min(max(u.CachedInputTokens, 0), input)
	reasoning := min(max(u.ReasoningOutputTokens, 0), output)
	c := &protocol.Cost{
		Input:     dollars(float64(input-cached) * r.Input),
		Output:    dollars(float64(output-reasoning)*r.Output + float64(reasoning)*r.ReasoningOutput),
		CacheRead: dollars(float64(cached) * r.CachedInput),
		Estimated: true,
	}
	c.Total = round(c.Input + c.Output + c.CacheRead)
	return c
}

// dollars are those of so many tokens times the dollars of a million.
func dollars(n float64) float64 { return round(n / 1e6) }

// round leaves nine digits: what is written into logs is as short as it is exact.
func round(n float64) float64 {
	if n >= 1e6 { // more digits than a float has
		return n
	}
	return math.Round(n*1e9) / 1e9
}

// Book is the table in force, which a new configuration replaces. Its methods are safe for concurrent use.
type Book struct{ table atomic.Pointer[Table] }

// Set puts another table in force; nil: there are no prices.
func (b *Book) Set(t *Table) { b.table.Store(t) }

// Knows says that there is a price of a model. Of one that nobody has named yet it may be, where there are prices. The book may be nil.
func (b *Book) Knows(model string) bool {
	table := b.Now()
	_, known := table.Of(model)
	return known || model == "" && table != nil
}

// Now is the table in force; nil: there is none. The book may be nil.
func (b *Book) Now() *Table {
	if b == nil {
		return nil
	}
	return b.table.Load()
}
