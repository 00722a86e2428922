package client

import (
	"math/rand/v2"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// step gives a machine an input, and carries out what it says. What comes of that is its next input.
func (r *runner) step(k *kept, in sync.Input) {
	for in != nil {
		var next sync.Input
		for _, e := range k.machine.Step(in, rand.Float64()) {
			switch e.(type) {
			case sync.Save, sync.Read:
				if next != nil {
					continue // its lines are not stored, or are not what the cache has
				}
			}
			if said := r.do(k, e); said != nil {
				next = said
			}
		}
		in = next
	}
}

// do carries out an effect; said is what the machine has to know of it.
func (r *runner) do(k *kept, e sync.Effect) (said sync.Input) {
	switch e := e.(type) {
	case sync.Connect:
		k.joined = false
		delete(r.due, k)
		r.reopen = true
	case sync.Disconnect:
		k.joined = false
	case sync.Wait:
		k.joined = false
		r.due[k] = time.Now().Add(e.For)
	case sync.Show:
		r.show(k, e.At, e.Line)
	case sync.Forget:
		r.forget(k)
	case sync.Tell:
		r.tell(SessionNotice{k.id, e.Notice})
	case sync.Read:
		return r.readCache(k, e)
	case sync.Save:
		return r.save(k, e.At)
	case sync.Store:
		if k.cache.Do(e) != nil {
			return sync.StoreFailed{}
		}
	case sync.Rewind:
		if k.cache.Do(e) != nil {
			return sync.Unreadable{}
		}
	case sync.CacheEffect:
		_ = k.cache.Do(e) // a failure costs room, and nothing that is right
	}
	return nil
}

// show shows a line to State and Changes.
func (r *runner) show(k *kept, at protocol.Cursor, line []byte) {
	event := protocol.Event{Seq: at.Seq}
	decoded := false
	r.mu.Lock()
	wanted := r.feed.wanted() // whoever joins behind this has the line in the state
	if wanted || k.state != nil {
		if e, err := protocol.Decode(line); err == nil {
			event, decoded = e, true
		}
	}
	k.at = at
	if k.state != nil && decoded {
		k.state.Apply(&event)
		k.state.Epoch = at.Epoch
	}
	r.mu.Unlock()
	if wanted {
		r.tell(SessionLine{k.id, Line{Event: event, At: at, Raw: line}})
	}
}

func (r *runner) forget(k *kept) {
	r.mu.Lock()
	k.at = protocol.Cursor{Epoch: 1}
	if k.state != nil {
		k.state = new(protocol.SessionState)
	}
	r.mu.Unlock()
	r.tell(SessionReset{k.id})
}
