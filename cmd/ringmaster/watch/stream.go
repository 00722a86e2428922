package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// silence is how long a stream may say nothing: the daemon shows itself every 15 s.
const silence = 45 * time.Second

// mostFollowed is how many positions a request takes (spec §7.13). Sessions beyond them are read from their first event, and what was told is passed over.
const mostFollowed = 10_000

// stream reads the sessions of a watch, over one connection after another.
type stream struct {
	client  *client.Client
	find    func() (*client.Client, error)
	named   []string           // sessions
	chosen  *resource.Selector // nil: none but those
	reading *reading
	told    chan<- Told
	say     func(string)
	now     func() time.Time

	joined bool            // a connection was made once
	last   map[string]bool // the sessions that were followed by the last one
	over   map[string]bool // of those that are named
}

// run reads until ctx is done, the daemon refuses, or all sessions that are named are over and none is chosen.
func (s *stream) run(ctx context.Context) error {
	s.last, s.over = map[string]bool{}, map[string]bool{}
	defer func() { s.client.Close() }()
	for fails := 0; ; {
		began := s.now()
		err := s.connect(ctx)
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		if s.finished() {
			return nil
		}
		if !s.joined || !passing(err) {
			return err
		}
		if s.now().Sub(began) >= silence/3 {
			fails = 0
		}
		if fails++; fails == 2 {
			s.say(fmt.Sprintf("the daemon is away, and is waited for: %v", err))
		}
		if found, err := s.find(); err == nil {
			s.client.Close()
			s.client = found
		}
		wait := time.NewTimer(sync.Backoff(fails, 0, rand.Float64()))
		select {
		case <-wait.C:
		case <-ctx.Done():
			wait.Stop()
			return context.Cause(ctx)
		}
	}
}

// errEnded is a stream that the daemon has ended.
var errEnded = errors.New("the daemon ended the stream")

// passing says whether what went wrong may be well the next time.
func passing(err error) bool {
	var away *client.Unreachable
	var p *protocol.Problem
	return errors.As(err, &away) || errors.Is(err, errEnded) || errors.As(err, &p) && (p.Status >= 500 || p.Status == http.StatusTooManyRequests)
}

func (s *stream) finished() bool { return s.chosen == nil && len(s.over) == len(s.named) }

// connect reads one connection to its end.
func (s *stream) connect(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(silence, func() { cancel(errEnded) })
	defer watch.Stop()
	follow, err := s.matching(ctx)
	if err != nil {
		return err
	}
	want := resource.StreamRequest{Sessions: map[string]string{}, Select: s.chosen, View: resource.ViewStatus, Roster: s.chosen != nil}
	for _, id := range append(follow, s.named...) {
		if at, known := s.reading.since(id); known && len(want.Sessions) < mostFollowed {
			want.Sessions[id] = at.String()
		}
	}
	for _, id := range s.named {
		if _, there := want.Sessions[id]; !there {
			want.Sessions[id] = ""
		}
	}
	in, err := s.client.Stream(ctx, want)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	if !s.joined {
		s.joined = true
		s.say("watching")
	}
	lastID := ""
	for {
		frame, err := in.Next()
		if err != nil {
			if cause := context.Cause(ctx); cause != nil {
				return cause
			}
			return fmt.Errorf("%w: %w", errEnded, err)
		}
		watch.Reset(silence)
		if frame.ID != lastID { // a signal has the id of the event before
			lastID = frame.ID
			err = s.event(ctx, frame.ID, frame.Data)
		} else {
			err = s.signal(ctx, frame.Data)
		}
		if err != nil {
			return err
		}
	}
}

// matching gives the sessions that match now, and says which are not there any more of those that did.
func (s *stream) matching(ctx context.Context) ([]string, error) {
	for _, id := range s.named {
		if s.joined { // their names are known
			break
		}
		shown, err := s.client.Session(id).Show(ctx)
		if err != nil {
			return nil, err
		}
		s.reading.listed(&shown.SessionSummary)
	}
	if s.chosen == nil {
		return nil, nil
	}
	in, err := s.client.Stream(ctx, resource.StreamRequest{Select: s.chosen, View: resource.ViewStatus, Begin: resource.BeginNewest, Roster: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	now := map[string]bool{}
	var ids []string
	for whole := false; !whole; {
		frame, err := in.Next()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errEnded, err)
		}
		var m signal
		if json.Unmarshal(frame.Data, &m) != nil {
			return nil, errors.New("the daemon's stream has what is no JSON")
		}
		if m.Type == protocol.TypeSession && m.Session != nil && !now[m.Session.ID] {
			s.reading.listed(m.Session)
			now[m.Session.ID] = true
			ids = append(ids, m.Session.ID)
		}
		whole = m.Type == protocol.TypeRosterComplete
	}
	for id := range s.last {
		if !now[id] {
			if err := s.missing(ctx, id); err != nil {
				return nil, err
			}
		}
	}
	s.last = now
	return ids, nil
}

// missing looks whether a session that does not match any more is there.
func (s *stream) missing(ctx context.Context, id string) error {
	_, err := s.client.Session(id).Show(ctx)
	var p *protocol.Problem
	if errors.As(err, &p) && p.Code == protocol.CodeSessionNotFound {
		return s.gone(ctx, id)
	}
	return err
}

func (s *stream) gone(ctx context.Context, id string) error {
	told, known := s.reading.gone(id, s.now().UnixMilli())
	if !known {
		return nil
	}
	return s.tell(ctx, told)
}

func (s *stream) tell(ctx context.Context, t Told) error {
	select {
	case s.told <- t:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *stream) event(ctx context.Context, frameID string, line []byte) error {
	id, text, _ := strings.Cut(frameID, "/")
	at, err := protocol.ParseCursor(text)
	if err != nil {
		return fmt.Errorf("the daemon's stream: %w", err)
	}
	delete(s.over, id)
	s.last[id] = true
	if e, err := protocol.Decode(line); err == nil { // else of a later version: there is nothing to tell of it that this program knows
		if told, is := s.reading.event(id, at, &e); is {
			return s.tell(ctx, told)
		}
	}
	return nil
}

// signal is what a merged stream says besides events.
type signal struct {
	Type      protocol.Type            `json:"type"`
	SessionID string                   `json:"sessionId"`
	Session   *resource.SessionSummary `json:"session"`
	Reason    resource.GoneReason      `json:"reason"`
	Epoch     uint64                   `json:"epoch"`
	Oldest    uint64                   `json:"oldest"`
}

func (s *stream) signal(ctx context.Context, data []byte) error {
	var m signal
	if err := json.Unmarshal(data, &m); err != nil {
		return fmt.Errorf("the daemon's stream: %w", err)
	}
	switch m.Type {
	case protocol.TypeSession:
		if m.Session != nil {
			s.reading.listed(m.Session)
			s.last[m.Session.ID] = true
		}
	case protocol.TypeReset:
		if told, is := s.reading.reset(m.SessionID, m.Epoch, m.Oldest, s.now().UnixMilli()); is {
			return s.tell(ctx, told)
		}
	case protocol.TypeOver:
		s.ends(m.SessionID)
	case protocol.TypeSessionGone:
		delete(s.last, m.SessionID)
		if m.Reason == resource.GoneNotFound {
			s.ends(m.SessionID)
			return s.gone(ctx, m.SessionID)
		}
	default: // of no account here, or of a later version
	}
	return nil
}

// ends notes that a session which is named has nothing more to say.
func (s *stream) ends(id string) {
	for _, n := range s.named {
		if n == id {
			s.over[id] = true
		}
	}
}
