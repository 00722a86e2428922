package core

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

// ends says that a session has ended behind this notice.
func (d *Delivery) ends() bool { return d.Kind == notice.SessionEnded }

// View is a webhook as it stands.
type View struct {
	Webhook
	Pending, Dead, Lost int
	Sent                uint64 // since the daemon's start
}

func (h *hook) view() View {
	return View{Webhook: h.Webhook, Pending: h.made, Dead: len(h.dead), Lost: h.lost, Sent: h.sent}
}

// Views are all webhooks, the oldest first.
func (s *State) Views() []View {
	all := make([]View, len(s.hooks))
	for i, h := range s.hooks {
		all[i] = h.view()
	}
	return all
}

// View is one webhook; false: there is none.
func (s *State) View(id string) (v View, ok bool) {
	if h := s.find(id); h != nil {
		return h.view(), true
	}
	return View{}, false
}

// Kept says which deliveries are meant.
type Kept uint8

// The deliveries.
const (
	Pending Kept = iota
	Done
	Dead
)

// Deliveries are those of a webhook, the oldest first, at most n of them; the newest where there are more.
func (s *State) Deliveries(hook string, which Kept, n int) []Delivery {
	h := s.find(hook)
	if h == nil {
		return nil
	}
	var all []*Delivery
	switch which {
	case Pending:
		for _, id := range sorted(h.lanes) {
			all = append(all, h.lanes[id].queue...)
		}
		all = append(all, h.apart...)
		slices.SortStableFunc(all, func(a, b *Delivery) int { return int(a.Made - b.Made) })
	case Done:
		all = h.done
	case Dead:
		all = h.dead
	}
	out := make([]Delivery, 0, min(len(all), n))
	for _, d := range all[max(0, len(all)-n):] {
		out = append(out, *d)
	}
	return out
}
