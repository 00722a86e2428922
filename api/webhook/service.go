package webhook

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/webhook/core"
	"github.com/ringmaster-agents/ringmaster/api/webhook/post"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// The bounds of webhooks (spec §7.17).
const (
	MaxWebhooks     = 64
	MaxWebhooksEach = 16 // of one token
	maxSelector     = 16 << 10
	usualOverlap    = 24 * time.Hour
)

// desk has what clients ask for. A webhook is made and changed on the disk first.
type desk struct{ *Hooks }

// create makes a webhook of the principal of a context.
func (h desk) create(ctx context.Context, n *resource.NewWebhook) (core.View, error) {
	who, err := makes(ctx)
	if err != nil {
		return core.View{}, err
	}
	w := core.Webhook{
		ID: uuid.NewString(), Holder: who.Holder(), Name: n.Name, URL: n.URL, DelayMs: n.DelayMs, Off: n.Enabled != nil && !*n.Enabled,
		Kinds: kindsOf(n.Kinds), Select: n.Select, Secret: post.NewSecret(),
	}
	if err := h.fits(&w); err != nil {
		return core.View{}, err
	}
	h.changing.Lock()
	defer h.changing.Unlock()
	saved, err := h.add(&w)
	if err != nil {
		return core.View{}, err
	}
	if err := <-saved; err != nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.core.Remove(w.ID)
		delete(h.sights, w.ID)
		return core.View{}, unkept(err, "")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.again()
	access.NoteWebhook(ctx, w.ID)
	v, _ := h.core.View(w.ID)
	return v, nil
}

// add takes a webhook that begins behind what its token's list shows.
func (h desk) add(w *core.Webhook) (saved <-chan error, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx.Err() != nil {
		return nil, ends()
	}
	all, mine := h.core.Views(), 0
	for i := range all {
		if all[i].Holder == w.Holder {
			mine++
		}
	}
	if len(all) >= MaxWebhooks || mine >= MaxWebhooksEach {
		return nil, protocol.NewProblem(protocol.CodeOverloaded, "There are too many webhooks.",
			"Delete some that nobody needs, or select more sessions with one.")
	}
	w.Created = h.Now().UnixMilli()
	s := h.sightOf(w)
	if s == nil {
		return nil, protocol.NewProblem(protocol.CodeUnauthorized, "The token is void.", "Use one that is valid.")
	}
	sessions, _, _ := s.list.Since(0)
	var there []core.Standing
	for _, x := range sessions {
		if !x.Away && s.list.Within(x) { // of another node's sessions that one tells
			there = append(there, core.Standing{
				Session: x.ID, Newest: x.Cursor(), Ended: x.About().Status.State.Ended(), Matches: s.selected.Has(s.list, x),
			})
		}
	}
	saved, h.added = h.file.saved(h.core.Add(w, there)), true
	h.sights[w.ID] = s // at once: a session may come and go before all are seen once more
	return saved, nil
}

// again has every session seen once more. With mu held.
func (h desk) again() {
	h.relook = true
	h.Recheck()
}

// change changes a webhook by what edit makes of it, on the disk first.
func (h desk) change(ctx context.Context, id string, edit func(w *core.Webhook, now time.Time) error) (core.View, error) {
	if _, err := makes(ctx); err != nil {
		return core.View{}, err
	}
	h.changing.Lock()
	defer h.changing.Unlock()
	was, err := h.of(ctx, id)
	if err != nil {
		return core.View{}, err
	}
	w := was.Webhook
	w.Kinds = slices.Clone(w.Kinds)
	if err := edit(&w, h.Now()); err != nil {
		return core.View{}, err
	}
	if err := <-h.set(&w); err != nil {
		<-h.set(&was.Webhook) // in memory, whatever the disk says
		return core.View{}, unkept(err, "")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.again()
	v, _ := h.core.View(id)
	return v, nil
}

func (h desk) set(w *core.Webhook) <-chan error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx.Err() != nil {
		ch := make(chan error, 1)
		ch <- ends()
		return ch
	}
	line, effects, ok := h.core.Change(h.Now(), w)
	if !ok {
		ch := make(chan error, 1)
		ch <- missing()
		return ch
	}
	saved := h.file.saved(line)
	h.carryOut(effects)
	return saved
}

// patch is change as a client wants it.
func (h desk) patch(ctx context.Context, id string, c *resource.WebhookChange) (core.View, error) {
	return h.change(ctx, id, func(w *core.Webhook, _ time.Time) error {
		if c.URL != nil {
			w.URL = *c.URL
		}
		if c.Kinds != nil {
			w.Kinds = kindsOf(c.Kinds)
		}
		if c.Select != nil {
			w.Select = c.Select
		}
		if c.Name != nil {
			w.Name = *c.Name
		}
		if c.DelayMs != nil {
			w.DelayMs = *c.DelayMs
		}
		if c.Enabled != nil {
			w.Off = !*c.Enabled
			if *c.Enabled && w.Disabled == core.Gone {
				w.Disabled = ""
			}
		}
		if w.Disabled == core.URL && h.Allow.Check(w.URL) == nil {
			w.Disabled = ""
		}
		return h.fits(w)
	})
}

// rotate gives a webhook another secret, beside which the one before counts for a while.
func (h desk) rotate(ctx context.Context, id string, overlap *int64) (core.View, error) {
	return h.change(ctx, id, func(w *core.Webhook, now time.Time) error {
		keep := usualOverlap
		if overlap != nil {
			keep = time.Duration(*overlap) * time.Millisecond
		}
		w.Old, w.OldUntil = "", 0
		if keep > 0 {
			w.Old, w.OldUntil = w.Secret, now.Add(keep).UnixMilli()
		}
		w.Secret = post.NewSecret()
		return nil
	})
}

// remove deletes a webhook, with all that is known of its deliveries.
func (h desk) remove(ctx context.Context, id string) error {
	if _, err := makes(ctx); err != nil {
		return err
	}
	h.changing.Lock()
	defer h.changing.Unlock()
	if _, err := h.of(ctx, id); err != nil {
		return err
	}
	h.mu.Lock()
	if h.ctx.Err() != nil {
		h.mu.Unlock()
		return ends()
	}
	delete(h.sights, id)
	line, _ := h.core.Remove(id)
	saved := h.file.saved(line)
	h.mu.Unlock()
	if err := <-saved; err != nil {
		return unkept(err, " It is deleted for as long as this daemon runs, and for good once the disk takes it.")
	}
	return nil
}

// test sends a notice of no session once.
func (h desk) test(ctx context.Context, id string) (resource.WebhookTest, error) {
	v, err := h.of(ctx, id)
	if err != nil {
		return resource.WebhookTest{}, err
	}
	if err := h.Allow.Check(v.URL); err != nil {
		return resource.WebhookTest{}, err
	}
	began := h.Now()
	body, err := json.Marshal(&notice.Notice{Kind: notice.Test, Time: began.UnixMilli()})
	if err != nil {
		return resource.WebhookTest{}, err
	}
	o := h.Sender.Send(ctx, &post.Message{ID: "test_" + uuid.NewString(), URL: v.URL, Body: string(body), Secrets: v.Secrets(began.UnixMilli())})
	return resource.WebhookTest{Delivered: o.Error == "", Status: o.Status, Error: o.Error, TookMs: h.Now().Sub(began).Milliseconds()}, nil
}

// send tries a delivery at once, or sends it again; of all that are dead where none is named.
func (h desk) send(ctx context.Context, id, delivery string) (n int, err error) {
	if _, err := h.of(ctx, id); err != nil {
		return 0, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx.Err() != nil {
		return 0, ends()
	}
	var effects []core.Effect
	if delivery == "" {
		n, effects, _ = h.core.SendDead(h.Now(), id)
	} else {
		var ok bool
		if effects, ok = h.core.Send(h.Now(), id, delivery); !ok {
			return 0, protocol.NewProblem(protocol.CodeNotFound, "This webhook has no such delivery that is dead or waits for a try.",
				"The list of its deliveries names them. One is next when those of its session before it are settled.")
		}
		n = 1
	}
	h.carryOut(effects)
	h.Recheck()
	return n, nil
}

// of is a webhook that the principal of a context may know of.
func (h desk) of(ctx context.Context, id string) (core.View, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if v, ok := h.core.View(id); ok && sees(access.Of(ctx), &v) {
		access.NoteWebhook(ctx, id)
		return v, nil
	}
	return core.View{}, missing()
}

func (h desk) list(ctx context.Context) []core.View {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.DeleteFunc(h.core.Views(), func(v core.View) bool { return !sees(access.Of(ctx), &v) })
}
