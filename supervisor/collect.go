package supervisor

import (
	"context"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
)

// Going is what retention removes, and why.
type Going = core.Going

// Plan is what goes by a rule, as things are.
type Plan struct {
	Rule  KeepRule
	Going []Going
	Kept  map[string]int // sessions that stay although they are old enough or in the way, by what keeps them; those that are just young do not count
	Bytes int64          // of all sessions
}

// Plan says what would go by a rule; nil: by the configuration's. It changes nothing. Sessions that nobody has measured yet are measured by the caller.
func (s *Supervisor) Plan(ctx context.Context, rule *KeepRule) (p Plan, err error) {
	all, err := ask.Ask(ctx, s.ref, func(r ask.Reply[[]core.Shelved]) Message { return &Shelves{r} })
	if err != nil {
		return p, err
	}
	if p.Rule = s.keep; rule != nil {
		p.Rule = *rule
	}
	yard := yardstick{s.data, s.files}
	p.Kept = map[string]int{}
	for i := range all {
		x := &all[i]
		if !x.Sized {
			if err := context.Cause(ctx); err != nil {
				return p, err
			}
			size := yard.size(x.ID)
			x.Bytes, x.Raw = size.Bytes, size.Raw
		}
		p.Bytes += x.Bytes
		if x.Stays != "" {
			p.Kept[x.Stays]++
		}
	}
	p.Going = core.Plan(all, &p.Rule, s.now())
	return p, nil
}

// Collect has go what is due by a rule, nil: by the configuration's; it returns when that has begun.
func (s *Supervisor) Collect(ctx context.Context, rule *KeepRule) error {
	_, err := ask.Ask(ctx, s.ref, func(r ask.Reply[session.Done]) Message { return &Collect{r, rule} })
	return err
}

// Pin keeps a session, and with it its tree, whatever retention says, or lets go of it. It returns when that survives the daemon.
func (s *Supervisor) Pin(ctx context.Context, id string, pinned bool) error {
	_, err := ask.Ask(ctx, s.ref, func(r ask.Reply[session.Done]) Message { return &Pin{r, id, pinned} })
	return err
}

// OnDiscarded has do called for each session that retention has removed, by the goroutine of the removal: it may wait for the disk.
func (s *Supervisor) OnDiscarded(do func(id string)) {
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	s.health.onDiscarded = do
}

// tellDiscarded tells who wants to know.
func (h *health) tellDiscarded(id string) {
	h.mu.Lock()
	told := h.onDiscarded
	h.mu.Unlock()
	if told != nil {
		told(id)
	}
}

// scarce refuses work for which the disk has too little room.
func (s *Supervisor) scarce() error {
	if s.keep.Free <= 0 {
		return nil
	}
	free := folder.Free(s.data.Root)
	if free == 0 || free >= s.keep.Free { // 0: the system does not tell; the next write says
		return nil
	}
	return &protocol.Problem{
		Code:   protocol.CodeOverloaded,
		Detail: fmt.Sprintf("The disk of the data folder has %d MiB left, and no session is made below %d MiB.", free>>20, s.keep.Free>>20),
		Hint:   "Make room on the disk, or remove sessions: ringmaster gc --dry-run says what could go. --keep-free sets the mark.",
	}
}
