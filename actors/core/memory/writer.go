package memory

import (
	"bytes"
	"context"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (c *client) Append(ctx context.Context, batches []core.Batch) (answers []core.Answer, err error) {
	err = c.do(ctx, "append", func(s *state) {
		seen := map[string]bool{}
		for i := range batches {
			b := &batches[i]
			a := core.Answer{Problem: b.Check()}
			if a.Problem == "" && seen[b.Session] {
				a.Problem = core.Again
			}
			if a.Problem == "" {
				seen[b.Session] = true
				a.Taken = s.append(b)
			}
			answers = append(answers, a)
		}
		for i := range answers {
			answers[i].At = s.position(batches[i].Session)
		}
	})
	return given(answers, err)
}

func (s *state) append(b *core.Batch) bool {
	one := s.sessions[b.Session]
	if one == nil || one.at.Lease != b.Lease || one.at.Head != b.First-1 || one.at.Epoch > b.Epoch {
		return false
	}
	if one.at.Epoch < b.Epoch {
		one.begin(b.Epoch, b.First)
	}
	one.at.Head = b.Last()
	one.rows = append(one.rows, copied(b.Stretch))
	return true
}

func (one *session) begin(epoch, first uint64) {
	one.at.Epoch, one.began = epoch, first
	one.epochs = append(one.epochs, protocol.EpochStart{Epoch: epoch, First: first})
}

func (c *client) Rewind(ctx context.Context, cut core.Cut) (a core.Answer, err error) {
	a.Problem = cut.Check()
	err = c.do(ctx, "rewind", func(s *state) {
		if one := s.sessions[cut.Session]; a.Problem == "" && one != nil && one.at.Lease == cut.Lease {
			a.Taken = one.rewind(cut)
		}
		a.At = s.position(cut.Session)
	})
	if err != nil {
		return core.Answer{}, err
	}
	return a, nil
}

func (one *session) rewind(cut core.Cut) bool {
	switch {
	case cut.First > one.at.Head+1, cut.Epoch < one.at.Epoch:
		return false
	case cut.Epoch == one.at.Epoch:
		return one.began == cut.First && one.at.Head == cut.First-1
	}
	var kept []store.Stretch
	for _, row := range one.rows {
		if p := core.Part(row, 0, cut.First-1); p.Count() > 0 {
			kept = append(kept, p)
		}
		if p := core.Part(row, cut.First-1, row.Last()); p.Count() > 0 {
			one.lost = append(one.lost, p)
		}
	}
	one.rows = kept
	one.at.Head, one.at.Oldest = cut.First-1, min(one.at.Oldest, cut.First)
	one.epochs = slices.DeleteFunc(one.epochs, func(s protocol.EpochStart) bool { return s.First >= cut.First })
	one.begin(cut.Epoch, cut.First)
	return true
}

func (c *client) Note(ctx context.Context, notes []core.Note) error {
	return c.do(ctx, "note", func(s *state) {
		for _, n := range notes {
			if one := s.sessions[n.Session]; one != nil && one.at.Lease == n.Lease {
				r := n.Kept()
				r.Epoch, r.First = 0, 0
				one.record = r
			}
		}
	})
}

// copied is a stretch that shares nothing.
func copied(s store.Stretch) store.Stretch {
	s.Sources, s.Lines = slices.Clone(s.Sources), bytes.Clone(s.Lines)
	return s
}
