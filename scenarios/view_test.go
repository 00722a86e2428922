package scenarios

import (
	"bytes"
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// poller reads the six-field view as clients do that are not told: everything after an index, a page at a time.
type poller struct {
	session string     // name
	client  *mcpClient // nil: one that comes for each poll and opens no stream
	page    page       // that was returned last
}

// page is the answer to one poll.
type page struct {
	Epoch     uint64                  `json:"epoch"`
	LastIndex int                     `json:"last_index"`
	HasMore   bool                    `json:"has_more"`
	Reset     bool                    `json:"reset,omitempty"`
	Events    []protocol.SessionEvent `json:"events"`
}

// maxPage is the most that one poll can ask for.
const maxPage = 1000

// poll asks for the page of a session's items of all types that follows another one.
func (c *mcpClient) poll(id string, behind page, limit int) (p page, err error) {
	in := map[string]any{
		"session_id": id, "since_index": behind.LastIndex, "max_events": limit, "types": itemTypes,
		"max_bytes": 4 << 20, "max_text": 1 << 20,
	}
	if behind.Epoch > 0 {
		in["epoch"] = behind.Epoch
	}
	err = c.ask("session_events", in, &p)
	return p, err
}

// lines are the page as the checks show it: one item per line, then what the page says of itself.
func (p *page) lines() ([]byte, error) {
	b, err := jsonLines(p.Events)
	if err != nil {
		return nil, err
	}
	rest, err := json.Marshal(struct {
		LastIndex int  `json:"last_index"`
		HasMore   bool `json:"has_more"`
		Reset     bool `json:"reset,omitempty"`
	}{p.LastIndex, p.HasMore, p.Reset})
	return append(b, rest...), err
}

// items is the six-field view of a log.
func items(events []protocol.Event) []protocol.SessionEvent {
	var view protocol.Items
	var out []protocol.SessionEvent
	for i := range events {
		if it, ok := view.Item(&events[i]); ok {
			out = append(out, it)
		}
	}
	return out
}

// pushes is what clients that do not poll are told of a log: long texts as their beginnings.
func pushes(id string, events []protocol.Event) []protocol.SessionEvent {
	view := protocol.NewPush(id)
	var out []protocol.SessionEvent
	for i := range events {
		if it, ok := view.Item(&events[i]); ok {
			it.Brief(0)
			out = append(out, it)
		}
	}
	return out
}

// listed is what a client holds that has got these items.
func listed(got []protocol.SessionEvent) []protocol.SessionEvent {
	var l protocol.ItemList
	for _, it := range got {
		l.Add(it)
	}
	return l.Items()
}

func jsonLines[T any](list []T) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, v := range list {
		if err := enc.Encode(v); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
