package pi

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// history is what the session had before the start: what the log has of it without ids, and what the log has nothing of.
type history struct {
	unbound []adapters.Unbound // entries of the log without ids, the oldest first
	known   []string           // ids that the log has, of its last entries
	looked  bool               // for the ids of the unbound

	recalls      bool // the earlier conversation is asked for, and Pi not yet who it is
	asksMessages bool // by get_messages
}

// recall asks for the earlier conversation of a session that the log has nothing of. Pi is asked who it is behind that, so that it is said
// before the first prompt.
func (h *history) recall(b *binder, calls *calls, out *adapters.Output) {
	h.recalls = true
	b.fetch(calls, out)
}

// entries takes an answer to get_entries, to our own question or somebody else's.
func (h *history) entries(data json.RawMessage, b *binder, c *content, out *adapters.Output) {
	var d struct {
		Entries []storedWire `json:"entries"`
		Leaf    string       `json:"leafId"`
	}
	_ = native.Decode(data, &d)
	unseen := b.unseen(d.Entries)
	var taken map[string]bool // messages of earlier starts
	if !h.looked && b.cursor == "" {
		h.looked = true
		taken = h.bindLost(d.Entries, out)
	}
	if h.recalls {
		past(branch(d.Entries, d.Leaf), c, out)
		unseen = nil
	}
	b.take(unseen, taken, out)
	if n := len(d.Entries); n > 0 {
		b.cursor = d.Entries[n-1].ID
	}
}

// messages takes an answer to get_messages.
func (h *history) messages(data json.RawMessage, c *content, out *adapters.Output) {
	var d struct {
		Messages []message `json:"messages"`
	}
	_ = native.Decode(data, &d)
	entries := make([]storedWire, len(d.Messages))
	for i, m := range d.Messages {
		entries[i] = storedWire{Type: "message", Message: m}
	}
	past(entries, c, out)
}

// recalled goes on with the start, whatever was found. Pi 0.73, which has no get_entries, is asked for its messages instead.
func (h *history) recalled(b *binder, calls *calls, out *adapters.Output) {
	if b.missing && !h.asksMessages {
		h.asksMessages = true
		calls.ask(out, command{Type: "get_messages"})
		return
	}
	h.recalls = false
	calls.ask(out, command{Type: "get_state"})
}
