package scenarios

import (
	"bytes"
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// poller reads the six-field view as clients that poll do: everything after an index, a page at a time.
type poller struct {
	session string
	index   int // of the last item that was returned
	page    page
}

// page is the answer to one poll.
type page struct {
	LastIndex int                     `json:"last_index"`
	HasMore   bool                    `json:"has_more"`
	Reset     bool                    `json:"reset,omitempty"`
	Events    []protocol.SessionEvent `json:"events"`
}

// poll computes a page from the log, as protocol.md §5 says.
func (p *poller) poll(events []protocol.Event, since, limit int) {
	p.page = page{LastIndex: since}
	if since >= len(events) {
		p.page.Reset = true
		return
	}
	for _, it := range items(events) {
		if it.Index <= since {
			continue
		}
		if limit > 0 && len(p.page.Events) == limit {
			p.page.HasMore = true
			break
		}
		p.page.Events = append(p.page.Events, it)
		p.page.LastIndex = it.Index
	}
	p.index = p.page.LastIndex
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

// pushes is what clients that do not poll are told of a log.
func pushes(id string, events []protocol.Event) []protocol.SessionEvent {
	view := protocol.NewPush(id)
	var out []protocol.SessionEvent
	for i := range events {
		if it, ok := view.Item(&events[i]); ok {
			out = append(out, it)
		}
	}
	return out
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
