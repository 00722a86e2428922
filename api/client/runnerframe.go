package client

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// signal is what a merged stream says besides events.
type signal struct {
	Type      protocol.Type            `json:"type"`
	SessionID string                   `json:"sessionId"`
	Session   *resource.SessionSummary `json:"session"`
	Reason    resource.GoneReason      `json:"reason"`
	Epoch     uint64                   `json:"epoch"`
	Oldest    uint64                   `json:"oldest"`
	Common    uint64                   `json:"common"`
	Cursor    string                   `json:"cursor"`
	Code      protocol.Code            `json:"code"`
	At        map[string]string        `json:"at"`
}

func (r *runner) frames(list []arrived) {
	for _, f := range list {
		var err error
		if f.id != "" {
			err = r.event(f)
		} else {
			err = r.signal(f.data)
		}
		if err != nil {
			r.broken = err
			return
		}
	}
}

// event takes a line of a log. One whose event is not known to this build is a line all the same: its number is read by itself, or the machine would ask for it
// without end.
func (r *runner) event(f arrived) error {
	id, text, _ := strings.Cut(f.id, "/")
	at, err := cursorOf(text)
	if err != nil {
		return err
	}
	r.give(id, sync.Frame{At: at, Seq: seqOf(f.data), Line: f.data})
	return nil
}

// seqOf is the number of a line; 0: it is no event. The daemon's lines begin with it.
func seqOf(line []byte) uint64 {
	const head = `{"seq":`
	var n uint64
	if len(line) > len(head) && string(line[:len(head)]) == head {
		for _, c := range line[len(head):min(len(line), len(head)+17)] {
			if c == ',' {
				return n
			}
			if c < '0' || c > '9' {
				break
			}
			n = n*10 + uint64(c-'0')
		}
	}
	var e struct {
		Seq uint64 `json:"seq"`
	}
	if json.Unmarshal(line, &e) != nil {
		return 0
	}
	return e.Seq
}

// give hands an input to the machine of a session, which is new where the stream tells of it first.
func (r *runner) give(id string, in sync.Input) {
	k := r.sessions[id]
	if k == nil {
		if !protocol.ValidSessionID(id) {
			return
		}
		was := r.reopen
		k = r.open(id)
		r.reopen = was // this stream has it from its beginning
		k.joined = true
		r.step(k, sync.Connected{})
	}
	if k.joined {
		r.step(k, in)
	}
	if k.machine.Phase() == sync.PhaseGone {
		r.drop(k)
	}
}

func (r *runner) signal(data []byte) error {
	var s signal
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("the daemon's stream: %w", err)
	}
	switch s.Type {
	case protocol.TypeSession:
		if s.Session != nil {
			r.listed(*s.Session)
		}
	case protocol.TypeRosterComplete:
		r.complete()
	case protocol.TypeSessionGone:
		r.gone(s)
	case protocol.TypeReset:
		r.give(s.SessionID, sync.Reset{Epoch: s.Epoch, Oldest: s.Oldest, Common: s.Common})
	case protocol.TypeOver:
		at, err := cursorOf(s.Cursor)
		if err != nil {
			return err
		}
		r.give(s.SessionID, sync.Over{At: at})
	case protocol.TypeRefused:
		r.give(s.SessionID, sync.Refused{Code: s.Code})
	case protocol.TypeDamage:
		r.give(s.SessionID, sync.Damage{})
	case protocol.TypeOverflow:
		m, err := protocol.DecodeMessage(data)
		if err != nil {
			return fmt.Errorf("the daemon's stream: %w", err)
		}
		if k, o := r.sessions[s.SessionID], m.(*protocol.Overflow); k != nil && k.joined {
			r.tell(SessionOverflow{s.SessionID, *o})
		}
	case protocol.TypeHeartbeat:
		return r.heartbeat(s.At)
	default: // of a later version
	}
	return nil
}

func (r *runner) heartbeat(all map[string]string) error {
	for id, k := range r.sessions {
		if !k.joined {
			continue
		}
		text, named := all[id]
		if !named {
			r.step(k, sync.Heartbeat{})
			continue
		}
		at, err := cursorOf(text)
		if err != nil {
			return err
		}
		r.step(k, sync.Heartbeat{At: &at})
	}
	return nil
}

func (r *runner) listed(s resource.SessionSummary) {
	r.mu.Lock()
	r.roster[s.ID] = s
	r.mu.Unlock()
	if r.told != nil {
		r.told[s.ID] = true
	}
	r.tell(SessionChanged{s})
}

// complete ends the list: what it did not tell of went away while nobody looked.
func (r *runner) complete() {
	var gone []string
	r.mu.Lock()
	for id := range r.roster {
		if r.told != nil && !r.told[id] {
			delete(r.roster, id)
			gone = append(gone, id)
		}
	}
	r.told = nil
	r.mu.Unlock()
	for _, id := range gone {
		r.tell(SessionGone{id})
	}
	r.tellCurrent(ListCurrent{Current: true})
	select {
	case <-r.synced:
	default:
		close(r.synced)
	}
}

func (r *runner) gone(s signal) {
	deselected := s.Reason == resource.GoneDeselected
	if k := r.sessions[s.SessionID]; k != nil {
		r.give(s.SessionID, sync.Gone{Deselected: deselected})
	}
	r.mu.Lock()
	_, was := r.roster[s.SessionID]
	delete(r.roster, s.SessionID)
	r.mu.Unlock()
	if was || !deselected {
		r.tell(SessionGone{s.SessionID})
	}
}
