package memory

import (
	"bytes"
	"context"
	"slices"
	"time"

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
				a.Taken = s.append(b, c.place.clock())
			}
			answers = append(answers, a)
		}
		for i := range answers {
			answers[i].At = s.position(batches[i].Session)
		}
	})
	return given(answers, err)
}

func (s *state) append(b *core.Batch, now time.Time) bool {
	one := s.sessions[b.Session]
	if one == nil || one.at.Lease != b.Lease || one.at.Head != b.First-1 || one.at.Epoch > b.Epoch {
		return false
	}
	if one.at.Epoch < b.Epoch {
		one.begin(b.Epoch, b.First)
	}
	one.at.Head, one.works = b.Last(), b.Works
	one.flushed = now
	one.rows = append(one.rows, row{copied(b.Stretch), b.Lease})
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
	one.takeBack(cut.Epoch)
	switch {
	case cut.First > one.at.Head+1, cut.Epoch < one.at.Epoch:
		return false
	case cut.Epoch == one.at.Epoch:
		return one.began == cut.First && one.at.Head == cut.First-1
	}
	one.cut(cut.First)
	one.at.Head, one.at.Oldest = cut.First-1, min(one.at.Oldest, cut.First)
	one.epochs = slices.DeleteFunc(one.epochs, func(s protocol.EpochStart) bool { return s.First >= cut.First })
	one.begin(cut.Epoch, cut.First)
	return true
}

// takeBack takes the newest epoch back, where it has no event and is later than one in which the log goes on.
func (one *session) takeBack(epoch uint64) {
	n := len(one.epochs) - 1
	if n < 1 || one.at.Epoch <= epoch || one.began <= one.at.Head || one.epochs[n-1].Epoch > epoch {
		return
	}
	one.epochs = slices.Clone(one.epochs[:n])
	one.at.Epoch, one.began, one.noted = one.epochs[n-1].Epoch, one.epochs[n-1].First, time.Now()
}

// cut puts aside what is behind a cut.
func (one *session) cut(first uint64) {
	var segments []*core.Segment
	for _, s := range one.segments {
		if s.First < first {
			segments = append(segments, s.Part(0, first-1))
		}
		if s.Last >= first {
			one.lost = append(one.lost, core.Piece{Segment: s.Part(first-1, s.Last)})
		}
	}
	var rows []row
	for _, r := range one.rows {
		if p := core.Part(r.Stretch, 0, first-1); p.Count() > 0 {
			rows = append(rows, row{p, r.lease})
		}
		if p := core.Part(r.Stretch, first-1, r.Last()); p.Count() > 0 {
			one.lost = append(one.lost, core.Piece{Stretch: p})
		}
	}
	one.segments, one.rows = segments, rows
}

func (c *client) Note(ctx context.Context, notes []core.Note) error {
	return c.do(ctx, "note", func(s *state) {
		for _, n := range notes {
			if one := s.sessions[n.Session]; one != nil && one.at.Lease == n.Lease {
				r := n.Kept()
				r.Epoch, r.First = 0, 0
				one.record, one.noted = r, time.Now()
			}
		}
	})
}

// copied is a stretch that shares nothing.
func copied(s store.Stretch) store.Stretch {
	s.Sources, s.Lines = slices.Clone(s.Sources), bytes.Clone(s.Lines)
	return s
}
