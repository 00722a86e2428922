package pi

import "github.com/ringmaster-agents/ringmaster/adapters"

// binder finds the agent's own ids. Pi never says them with its messages; get_entries, asked right after a message's end,
// does. Entries are matched by what is known of both sides.
type binder struct {
	cursor  string // the last entry seen: the next question begins after it
	asked   string // id of the question that is not answered yet
	again   bool   // there is more to ask
	missing bool   // Pi 0.73 has no get_entries
	waiting []waiting
	ahead   []stored
}

// wanted is what entry and message have in common.
type wanted struct {
	role string // user, assistant, bashExecution, compaction
	time int64  // of the message, Unix ms
	mark string // command of bashExecution, first kept entry of compaction
}

// waiting are the entries of one message that wait for its id.
type waiting struct {
	wanted
	keys []adapters.EntryKey
}

// stored is an entry of the agent's session whose message has not been seen yet.
type stored struct {
	wanted
	id string
}

// Bounds of both lists; what falls out stays without its id.
const (
	maxWaiting = 1024
	maxAhead   = 64
)

// wait notes that entries wait for the id of a message.
func (b *binder) wait(w wanted, out *adapters.Output, keys ...adapters.EntryKey) {
	for i, s := range b.ahead {
		if s.wanted == w {
			b.ahead = append(b.ahead[:i], b.ahead[i+1:]...)
			bound(keys, s.id, out)
			return
		}
	}
	if len(b.waiting) == maxWaiting {
		b.waiting = append(b.waiting[:0], b.waiting[1:]...)
	}
	b.waiting = append(b.waiting, waiting{w, keys})
}

// found takes an entry of the agent's session.
func (b *binder) found(s stored, out *adapters.Output) {
	for i, w := range b.waiting {
		if w.wanted == s.wanted {
			b.waiting = append(b.waiting[:i], b.waiting[i+1:]...)
			bound(w.keys, s.id, out)
			return
		}
	}
	if len(b.ahead) == maxAhead {
		b.ahead = append(b.ahead[:0], b.ahead[1:]...)
	}
	b.ahead = append(b.ahead, s)
}

func bound(keys []adapters.EntryKey, id string, out *adapters.Output) {
	for _, k := range keys {
		out.Draft(adapters.EntryBound{Key: k, PersistentID: id})
	}
}

// fetch asks for the entries after the cursor, one question at a time.
func (b *binder) fetch(calls *calls, out *adapters.Output) {
	if b.missing {
		return
	}
	if b.asked != "" {
		b.again = true
		return
	}
	b.again = false
	b.asked = calls.ask(out, command{Type: "get_entries", Since: b.cursor})
}

// answers says whether an answer to get_entries is the one to our own question: where the command is unknown, it has no id.
func (b *binder) answers(r *response) bool {
	return b.asked != "" && (r.ID == b.asked || r.ID == "" && unknownCommand(r.Error))
}

// answered takes that our own question was answered.
func (b *binder) answered(r *response) {
	b.asked = ""
	switch {
	case r.Success:
	case unknownCommand(r.Error):
		b.missing = true
	case b.cursor != "": // the cursor is of another session: begin at the beginning
		b.cursor = ""
		b.again = true
	}
}

// unseen gives the entries of a list that are behind the cursor: the answer to somebody else's question may begin before it.
func (b *binder) unseen(entries []storedWire) []storedWire {
	for i := len(entries) - 1; i >= 0; i-- {
		if entries[i].ID == b.cursor {
			return entries[i+1:]
		}
	}
	return entries
}

// take takes entries of the agent's session. Those that are taken already have their entry.
func (b *binder) take(entries []storedWire, taken map[string]bool, out *adapters.Output) {
	for i := range entries {
		e := &entries[i]
		if taken[e.ID] {
			continue
		}
		w := wanted{role: e.Message.Role, time: e.Message.Timestamp}
		switch {
		case e.Type == "compaction":
			w = wanted{role: "compaction", mark: e.FirstKeptEntry}
		case w.role == "bashExecution":
			w = wanted{role: w.role, mark: e.Message.Command}
		case w.role != "user" && w.role != "assistant":
			continue
		}
		if e.ID != "" {
			b.found(stored{w, e.ID}, out)
		}
	}
}
