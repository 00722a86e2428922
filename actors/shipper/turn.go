package shipper

import (
	"context"
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// turn does one round with Core. busy says that there was something to do. After an error it is not known what of it has happened; all of it is tried again.
func (s *Shipper) turn() (busy bool, err error) {
	ctx, cancel := context.WithTimeout(s.ctx, callTime)
	defer cancel()
	if err := s.connect(ctx); err != nil {
		return false, err
	}
	if s.isDoubted() && s.least.Before(s.survey) {
		s.survey = s.least
	}
	if !time.Now().Before(s.survey) {
		if err := s.look(ctx); err != nil {
			return false, err
		}
	}
	items := s.take(s.alone)
	if len(items) == 0 {
		return false, nil
	}
	err = s.carry(ctx, items)
	s.release(items, err, s.isRefused(items, err))
	return true, err
}

// carry does what is to be done about some sessions.
func (s *Shipper) carry(ctx context.Context, items []*item) error {
	s.find(ctx, items)
	if err := s.learn(ctx, items); err != nil {
		return err
	}
	if err := s.check(ctx, items); err != nil {
		return err
	}
	if err := s.send(ctx, items); err != nil {
		return err
	}
	if err := s.tell(ctx, items); err != nil {
		return err
	}
	return s.remove(ctx, items)
}

func (s *Shipper) connect(ctx context.Context) (err error) {
	if s.core == nil {
		if s.core, err = s.cfg.Connect(ctx); err != nil {
			return err
		}
	}
	if s.anew() {
		s.owner, s.survey = core.Owner{}, time.Time{}
	}
	if s.owner.Node == "" {
		if s.owner, err = s.core.Join(ctx, s.node); err == nil {
			s.lives(s.owner)
		}
	}
	return err
}

// look goes through all sessions: those of which Core lacks something are enqueued. Sessions that nobody has taken up since the start note themselves in
// no other way, and those which Core has forgotten, since it went back, in none at all.
func (s *Shipper) look(ctx context.Context) error {
	begun := time.Now()
	held, old := map[string]protocol.Cursor{}, map[string]bool{}
	for p, err := range s.core.Held(ctx, s.node) {
		if err != nil {
			return err
		}
		if p.Owner.Incarnation > s.owner.Incarnation { // another daemon has it; what is sent will say so
			continue
		}
		held[p.Session] = protocol.Cursor{Epoch: p.Epoch, Seq: p.Head}
		if p.Owner.Incarnation < s.owner.Incarnation {
			old[p.Session] = true
		}
	}
	for id, newest := range s.cfg.Sessions() {
		has, ok := held[id]
		isLeft := old[id] && s.cfg.Moves != nil && s.cfg.Moves(id) // others may take it, where this life does not
		if ok && has == newest && !isLeft {
			continue
		}
		s.missing(id, has, isLeft)
	}
	now := time.Now()
	s.survey, s.least = now.Add(surveyEvery), now.Add(max(surveyLeast, surveyPart*now.Sub(begun)))
	return nil
}

// isRefused says whether an error is Core's answer to the one session that it was sent something of, which the disk, the net and the operator have
// nothing to do with. Where something of several was sent, they are sent one at a time from then on, until the one is found whose it is.
func (s *Shipper) isRefused(items []*item, err error) bool {
	var refused *core.RefusedError
	switch {
	case err == nil:
		s.alone = s.alone && s.waits()
		return false
	case !errors.As(err, &refused):
		return false
	}
	s.alone = true
	if len(items) > 1 {
		return false
	}
	w := items[0].way
	if w.refused++; w.refused < 3 {
		return false
	}
	w.refused = 0
	s.trouble(items[0], &Problem{KindRefused, err.Error()})
	return true
}
