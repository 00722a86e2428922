package protocol

import "slices"

// Frame is a fold that forgets what is over: a state without the entries that have ended, the requests that are answered and the turns before the newest.
// It takes the same room however long the log is, and says how many of them there were. With the end of the log it makes a state by page (spec §7.8).
//
// Deltas change nothing of it: an open entry has the data that it began with, and whoever keeps its texts fills them in. The zero value is the frame before
// the first event.
type Frame struct {
	State SessionState
	Told  Told
}

// Told is how many elements of each list a log has told of.
type Told struct {
	Turns    int `json:"turns"`    // turns that have begun
	Entries  int `json:"entries"`  // entries that have begun
	Requests int `json:"requests"` // requests that were opened
}

// StatePart says which part of a state a page is (spec §7.8).
type StatePart struct {
	From   uint64 `json:"from"`   // the entries, requests and turns that began with this event or a later one are there; those before it are in the page before
	Oldest uint64 `json:"oldest"` // of the log: from is this one where nothing is before
	Told   Told   `json:"told"`   // how many there are in all
}

// Apply folds the next event (spec §10.1). It is total, as that of SessionState, and keeps parts of e.
func (f *Frame) Apply(e *Event) {
	s := &f.State
	if e.Seq <= s.Seq {
		return
	}
	if _, is := e.Payload.(*EntryDelta); is {
		s.Seq, s.Ts, s.Epoch = e.Seq, e.Time, max(s.Epoch, 1)
		return
	}
	turns, entries, requests := len(s.Turns), len(s.Entries), len(s.Requests)
	s.Apply(e)
	f.Told.Entries += len(s.Entries) - entries
	f.Told.Requests += len(s.Requests) - requests
	switch p := e.Payload.(type) {
	case *EntryStart:
		f.late(p.TurnID, turns)
	case *EntryEnd:
		f.late(p.TurnID, turns)
		f.leave(p.EntryID)
	case *RequestResolved:
		if s.requests[p.RequestID] != nil {
			delete(s.requests, p.RequestID)
			s.Requests = slices.DeleteFunc(s.Requests, func(r *RequestState) bool { return r.RequestID == p.RequestID })
		}
	case *TurnStart, *TurnEnd:
		f.Told.Turns += len(s.Turns) - turns
		newest := s.Turns[len(s.Turns)-1]
		s.Turns = slices.DeleteFunc(s.Turns, func(t *TurnState) bool {
			over := t.EndSeq > 0 && t != newest
			if over {
				delete(s.turns, t.TurnID)
			}
			return over
		})
	default: // a frame has all of it
	}
}

// late takes back a turn that an entry has brought: it is one that was forgotten, since sessions begin a turn before what is in it.
func (f *Frame) late(id string, turns int) {
	s := &f.State
	if len(s.Turns) > turns {
		delete(s.turns, id)
		s.Turns = s.Turns[:turns]
	}
}

// leave forgets an entry.
func (f *Frame) leave(id string) {
	s := &f.State
	x := s.entries[id]
	delete(s.entries, id)
	s.Entries = slices.DeleteFunc(s.Entries, func(y *EntryState) bool { return y == x })
	if t := s.turns[x.TurnID]; t != nil {
		t.Entries = slices.DeleteFunc(t.Entries, func(e string) bool { return e == id })
	}
}

// Clone copies a frame: what is applied to one of the two changes nothing of the other.
func (f *Frame) Clone() *Frame {
	c := *f
	s := &c.State
	s.turns, s.entries, s.requests = nil, nil, nil
	s.Turns = copies(s.Turns)
	for _, t := range s.Turns {
		t.Entries = slices.Clone(t.Entries)
		if t.Usage != nil {
			t.Usage = new(*t.Usage)
		}
		put(&s.turns, t.TurnID, t)
	}
	s.Entries = copies(s.Entries)
	for _, x := range s.Entries {
		x.Data = CopyData(x.EntryType, x.Data)
		put(&s.entries, x.EntryID, x)
	}
	s.Requests = copies(s.Requests)
	for _, r := range s.Requests {
		put(&s.requests, r.RequestID, r)
	}
	s.Queue, s.Children, s.Marks = copies(s.Queue), copies(s.Children), slices.Clone(s.Marks)
	if s.Usage.Cost != nil {
		s.Usage.Cost = new(*s.Usage.Cost)
	}
	return &c
}

func copies[T any](list []*T) []*T {
	out := make([]*T, len(list))
	for i, x := range list {
		out[i] = new(*x)
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
