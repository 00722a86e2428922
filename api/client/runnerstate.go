package client

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// saveEvery is what the machine of a session is told of its state; 0: none is folded, or the cache keeps none.
func (r *runner) saveEvery(s CachedSession) uint64 {
	if _, keeps := s.(StateKeeper); !keeps || !r.options.States {
		return 0
	}
	return cmp.Or(r.options.SaveEvery, sync.SaveEvery)
}

// readCache shows what is stored, behind the state of the checkpoint where there is one. Without states nothing stands for the lines, and all of them are
// shown.
func (r *runner) readCache(k *kept, e sync.Read) sync.Input {
	if k.state == nil {
		e = sync.Read{}
	}
	epoch := k.machine.At().Epoch
	if e.From > 0 && !r.restore(k, protocol.Cursor{Epoch: epoch, Seq: e.After}) {
		return sync.Unreadable{}
	}
	for line, err := range k.cache.Lines(e) {
		if err != nil {
			return sync.Unreadable{}
		}
		r.show(k, protocol.Cursor{Epoch: epoch, Seq: line.Event.Seq}, append([]byte(nil), line.Bytes...))
	}
	if k.at != k.machine.At() {
		return sync.Unreadable{} // a Cache that does not know a Rewind has done nothing for it
	}
	return nil
}

// restore shows the state of the checkpoint.
func (r *runner) restore(k *kept, at protocol.Cursor) bool {
	keeper, keeps := k.cache.(StateKeeper)
	if !keeps {
		return false
	}
	text, err := keeper.State()
	if err != nil {
		return false
	}
	state := new(protocol.SessionState)
	// Its number is lower where the last lines were such as this build cannot decode.
	if state.UnmarshalJSON(text) != nil || state.Epoch != at.Epoch || state.Seq > at.Seq {
		return false
	}
	r.mu.Lock()
	k.state, k.at = state, at
	r.mu.Unlock()
	r.tell(SessionRestored{k.id, at})
	return true
}

// save stores the state, which nobody but this goroutine changes. A state without an id is that of a log whose first lines are gone, and has no JSON.
func (r *runner) save(k *kept, at protocol.Cursor) sync.Input {
	keeper, keeps := k.cache.(StateKeeper)
	if !keeps || k.state == nil || k.at != at || k.state.SessionID == "" {
		return nil
	}
	text := k.state.AppendJSON(nil)
	if keeper.SaveState(at, text) != nil {
		return nil
	}
	return sync.Saved{Size: int64(len(text))}
}
