package trim

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Rested is what is known of sessions at rest whose logs may be larger than they may be now: the daemon before had no bound, or a higher one.
type Rested struct {
	Most  int64                 // bytes of lines that a log may have
	Bytes func(id string) int64 // that a log at rest takes, with what is kept beside its lines; 0: nothing of it could go, or that is not known
	// TakeUp has a session's actor look at its log, and keeps it until leave. What it wants trimmed has come to Want when TakeUp returns.
	TakeUp func(ctx context.Context, id string) (log store.Log, leave func(), err error)
}

// Of is the Rested of a store's sessions, which are found as a reader finds them. One that is awake looks at its log itself.
func Of(logs store.Store, most int64, awake func(id string) bool, find func(ctx context.Context, id string) (session.Ref, error)) Rested {
	return Rested{
		Most: most,
		Bytes: func(id string) int64 {
			if awake(id) {
				return 0
			}
			info, err := logs.Stat(id)
			if err != nil || info.Segments < 2 { // whoever takes it up is told of an error; the newest file always stays
				return 0
			}
			return info.Bytes
		},
		TakeUp: func(ctx context.Context, id string) (store.Log, func(), error) {
			ref, err := find(ctx, id)
			if err != nil {
				return nil, nil, err
			}
			r, err := ask.Ask(ctx, ref, func(r ask.Reply[*session.Reader]) session.Message { return &session.Join{Reply: r, Name: "trim"} })
			if err != nil {
				return nil, nil, err
			}
			return r.Log, r.Leave, nil
		},
	}
}

// Rest takes up those of the sessions whose logs are too large, one after another, each until it is trimmed. It returns when there is none left, when ctx ends,
// or with Close.
func (t *Trimmer) Rest(ctx context.Context, ids []string, of Rested) {
	for _, id := range ids {
		if ctx.Err() != nil {
			return
		}
		if of.Bytes(id) <= of.Most {
			continue
		}
		log, leave, err := of.TakeUp(ctx, id)
		if err != nil { // it has gone, or cannot be written: whoever asks for it is told
			continue
		}
		if log.Bytes() > of.Most {
			t.await(id)
		}
		leave()
	}
}

// await returns when nothing is wanted of a session any more.
func (t *Trimmer) await(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		if _, waits := t.waiting[id]; !waits && t.busy != id {
			return
		}
		t.changed.Wait()
	}
}
