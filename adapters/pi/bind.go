package pi

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// binder finds the agent's own ids. Pi never says them with its messages; get_entries, asked right after a message's end,
// does. Entries are matched by what is known of both sides.
type binder struct {
	cursor  string // the last entry seen: the next question begins after it
	asked   string // id of the question that is not answered yet
	again   bool   // there is more to ask
	missing bool   // Pi 0.73 has no get_entries
	waiting []waiting
	ahead   []stored
	lost    bool // the entries of earlier starts were looked for
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

// storedWire is an entry of the agent's session, in get_entries.
type storedWire struct {
	ID             string  `json:"id"`
	Parent         string  `json:"parentId"`
	Type           string  `json:"type"`
	FirstKeptEntry string  `json:"firstKeptEntryId"`
	Summary        string  `json:"summary"` // of a compaction
	Message        message `json:"message"`
}

// fetch asks for the entries after the cursor, one question at a time.
func (t *Translator) fetch(out *adapters.Output) {
	b := &t.binder
	if b.missing {
		return
	}
	if b.asked != "" {
		b.again = true
		return
	}
	b.again = false
	b.asked = t.ask(out, command{Type: "get_entries", Since: b.cursor})
}

// fetched takes an answer to get_entries, to our own question or somebody else's. A list may begin before the cursor.
func (t *Translator) fetched(data json.RawMessage, out *adapters.Output) {
	var d struct {
		Entries []storedWire `json:"entries"`
		Leaf    string       `json:"leafId"`
	}
	_ = native.Decode(data, &d)
	from := 0
	for i, e := range d.Entries {
		if e.ID == t.binder.cursor {
			from = i + 1
		}
	}
	var taken map[string]bool // messages of earlier starts
	if !t.binder.lost && t.binder.cursor == "" {
		t.binder.lost = true
		taken = t.bindLost(d.Entries, out)
	}
	if t.recalls {
		t.past(branch(d.Entries, d.Leaf), out)
		from = len(d.Entries)
	}
	for _, e := range d.Entries[from:] {
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
			t.binder.found(stored{w, e.ID}, out)
		}
	}
	if n := len(d.Entries); n > 0 {
		t.binder.cursor = d.Entries[n-1].ID
	}
}

// fetchAnswered goes on after the answer to our own question.
func (t *Translator) fetchAnswered(success bool, problem string, out *adapters.Output) {
	b := &t.binder
	b.asked = ""
	if !success {
		switch {
		case unknownCommand(problem):
			b.missing = true
		case b.cursor != "": // the cursor is of another session: begin at the beginning
			b.cursor = ""
			b.again = true
		}
	}
	switch {
	case b.again:
		t.fetch(out)
	case t.recalls:
		t.recalled(out)
	}
}
