package webhook

import (
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/selection"
	"github.com/ringmaster-agents/ringmaster/api/webhook/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

const (
	lookEvery  = 20 * time.Millisecond // least time between two looks at the list
	checkEvery = time.Minute           // most time between two looks at tokens and the clock, which may be set
)

// watch follows the list of sessions, and does what is due, until the end.
func (h *Hooks) watch(list *access.Roster, bells *ring.Bells, revision uint64) {
	var rung []*ring.Bell
	for {
		rung = bells.Take(rung[:0])
		h.check()
		revision = h.see(list, revision)
		h.take(&core.Tick{})
		h.mu.Lock()
		h.file.write(false) // what an earlier write has not taken
		next, again := h.core.Next(), h.file.again()
		h.mu.Unlock()
		wait := checkEvery
		if !again.IsZero() {
			wait = min(wait, max(again.Sub(h.Now()), lookEvery))
		}
		if next > 0 {
			wait = min(wait, max(time.UnixMilli(next).Sub(h.Now()), lookEvery))
		}
		due := time.NewTimer(wait)
		select {
		case <-h.ctx.Done():
		case <-bells.Rung():
		case <-h.nudge:
		case <-due.C:
		}
		due.Stop()
		rest := time.NewTimer(lookEvery)
		select {
		case <-h.ctx.Done():
			rest.Stop()
			return
		case <-rest.C:
		}
	}
}

// check disables webhooks whose token is void, or whose URL is not allowed any more.
func (h *Hooks) check() {
	h.mu.Lock()
	views := h.core.Views()
	h.mu.Unlock()
	for i := range views {
		if v := &views[i]; v.Disabled == "" {
			h.may(v.ID, v.URL)
		}
	}
}

// may says whether a webhook may send to its URL, and disables it where it may not any more.
func (h *Hooks) may(hook, url string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	v, ok := h.core.View(hook)
	switch {
	case !ok:
		return false
	case h.world.Tokens.Holder(v.Holder) == nil:
		delete(h.sights, hook)
		h.carryOut(h.core.Disable(hook, core.Token))
		return false
	case h.Allow.Check(url) != nil:
		h.carryOut(h.core.Disable(hook, core.URL))
		return false
	}
	return true
}

// see tells the core of the sessions that have changed since a revision, and gives the one up to which that is. Where all are to be seen once more,
// those that have changed come first: a session that has come and gone since is in no list of all.
func (h *Hooks) see(list *access.Roster, revision uint64) uint64 {
	h.mu.Lock()
	all := h.relook || revision == 0
	h.relook, h.added = false, false
	if all {
		h.sightAll()
	}
	h.mu.Unlock()
	changed, now, ok := list.Since(revision)
	if revision > 0 && ok { // otherwise more has gone since than the list remembers
		h.show(changed)
	}
	if !all && ok {
		return now
	}
	changed, _, _ = list.Since(0) // what comes and goes meanwhile is among the changes since now
	h.show(changed)
	h.list(changed)
	return now
}

// list tells the core which sessions there are. Where it cannot be said of some that are not there whether they have left, or a webhook was made meanwhile, it
// is not told: the next look at all does it.
func (h *Hooks) list(all []*roster.Session) {
	in := &core.Listed{There: make(map[string]struct{}, len(all)), Shelved: map[string]struct{}{}}
	for _, x := range all {
		if !x.Away {
			in.There[x.ID] = struct{}{}
		}
	}
	h.mu.Lock()
	doubts := h.core.Doubts(in.There)
	h.mu.Unlock()
	if doubts && h.Shelved != nil {
		shelved, err := h.Shelved()
		if err != nil {
			h.Log.Warn("webhooks: look at what was set aside", zap.Error(err))
			return
		}
		for _, id := range shelved {
			in.Shelved[id] = struct{}{}
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.added { // it may begin behind sessions that came later than the list
		h.relook = true
		return
	}
	h.carryOut(h.core.Step(h.Now(), in))
}

func (h *Hooks) show(changed []*roster.Session) {
	for _, x := range changed {
		if x.Away { // its own node tells of it
			h.take(&core.Left{Session: x.ID})
			continue
		}
		h.mu.Lock()
		h.carryOut(h.core.Step(h.Now(), h.saw(x)))
		h.mu.Unlock()
	}
}

// saw is what the list shows of a session. With mu held.
func (h *Hooks) saw(x *roster.Session) *core.Saw {
	newest := x.Cursor() // before Tells: up to there it tells everything
	about := x.About()
	in := &core.Saw{
		About:  notice.About{SessionID: x.ID, Agent: about.Agent, Title: about.Title, ParentSessionID: about.ParentSessionID},
		Newest: newest, Told: about.Changed, Gone: x.Gone, Ended: reasonOf(about.Status.State),
	}
	if x.Tells() {
		in.Told = newest.Seq
	}
	for i := range about.Open {
		in.Open = append(in.Open, about.Open[i].RequestID)
	}
	for id, s := range h.sights {
		if s.list.Within(x) && s.selected.Has(s.list, x) {
			in.Matches = append(in.Matches, id)
		}
	}
	return in
}

func reasonOf(s protocol.State) protocol.EndReason {
	switch s {
	case protocol.StateCompleted:
		return protocol.EndCompleted
	case protocol.StateTerminated:
		return protocol.EndTerminated
	case protocol.StateFailed:
		return protocol.EndError
	default:
		return ""
	}
}

// sightAll says anew what each webhook sees. With mu held.
func (h *Hooks) sightAll() {
	clear(h.sights)
	for _, v := range h.core.Views() {
		if s := h.sightOf(&v.Webhook); s != nil {
			h.sights[v.ID] = s
		}
	}
}

// sightOf is what a webhook sees; nil: nothing any more.
func (h *Hooks) sightOf(w *core.Webhook) *sight {
	holder := h.world.Tokens.Holder(w.Holder)
	of := w.Select
	if of == nil {
		of = &resource.Selector{}
	}
	selected, err := selection.Of(of)
	if holder == nil || err != nil {
		return nil
	}
	return &sight{access.RosterOf(h.world.Gate, holder), selected}
}

// Recheck looks at once at what may have changed: what is due, and the list of URLs.
func (h *Hooks) Recheck() {
	select {
	case h.nudge <- struct{}{}:
	default:
	}
}
