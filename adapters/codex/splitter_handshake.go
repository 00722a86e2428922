package codex

import (
	"bytes"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// handshake is what comes first on a connection: lines of lanes wait until the server has taken it.
type handshake struct {
	ids     int      // of own requests, last given
	id      int      // of initialize
	ready   bool     // it is done
	refused []byte   // the error that ended it; nil: none
	waiting []saying // lines of lanes that wait for it
}

// saying is a line of a lane that waits for the handshake.
type saying struct {
	lane adapters.Lane
	line []byte
}

// maxSayings is how many lines wait for a handshake.
const maxSayings = 4096

// notConnected answers what is too much to wait for a connection.
var notConnected = []byte(`{"code":-32000,"message":"not connected to the agent"}`)

// initialize is the first request of a connection. Background terminals, paged history and much else is only there with
// experimentalApi.
type initialize struct {
	ClientInfo   clientInfo   `json:"clientInfo"`
	Capabilities capabilities `json:"capabilities"`
}

type clientInfo struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version"`
}

type capabilities struct {
	ExperimentalAPI bool `json:"experimentalApi"`
}

// begin sends it.
func (h *handshake) begin(out *adapters.Split) {
	h.id = h.ids + 1
	h.write("initialize", initialize{
		ClientInfo:   clientInfo{Name: "ringmaster", Title: "Ringmaster", Version: "1"},
		Capabilities: capabilities{ExperimentalAPI: true},
	}, out)
}

// write sends a request of the splitter's own: those have lane 0, and nobody waits for their responses.
func (h *handshake) write(method string, params any, out *adapters.Split) {
	h.ids++
	out.Line(withID(encode(call{Method: method, Params: params}), unique(0, strconv.AppendInt(nil, int64(h.ids), 10))))
}

// answered takes the response to a request of the splitter's own. After that to initialize it lets go what waited, and says that the
// handshake is done.
func (h *handshake) answered(id []byte, m *message, out *adapters.Split) (done bool) {
	if string(id) != strconv.Itoa(h.id) || h.ready || h.refused != nil {
		return false
	}
	waiting := h.waiting
	h.waiting = nil
	if m.fault != nil {
		h.refused = bytes.Clone(m.fault)
		for _, w := range waiting {
			w.refuse(h.refused, out)
		}
		return false
	}
	h.ready = true
	out.Line([]byte(`{"method":"initialized"}`))
	for _, w := range waiting {
		out.Line(w.line)
	}
	return true
}

// send sends a line of a lane, or keeps it until it can be sent; ok is false where there is no room.
func (h *handshake) send(w saying, out *adapters.Split) (ok bool) {
	switch {
	case h.ready:
		out.Line(w.line)
	case h.refused != nil:
		w.refuse(h.refused, out)
	case len(h.waiting) >= maxSayings:
		w.refuse(notConnected, out)
		return false
	default:
		h.waiting = append(h.waiting, saying{w.lane, bytes.Clone(w.line)})
	}
	return true
}

// unsay takes back what a lane still waits to say, and gives the ids that the lane has for its requests.
func (h *handshake) unsay(lane adapters.Lane) (ids []string) {
	kept := h.waiting[:0]
	for _, w := range h.waiting {
		if w.lane != lane {
			kept = append(kept, w)
			continue
		}
		if m, ok := parse(w.line); ok {
			if _, inner, ok := split(m.id); ok {
				ids = append(ids, string(inner))
			}
		}
	}
	h.waiting = kept
	return ids
}

// lose forgets what was done and said on a connection that was lost.
func (h *handshake) lose() { h.ready, h.refused, h.waiting = false, nil, nil }

// refuse answers a lane's request in the name of a server that was not asked.
func (w saying) refuse(fault []byte, out *adapters.Split) {
	m, ok := parse(w.line)
	if !ok {
		return
	}
	if _, inner, ok := split(m.id); ok {
		out.To(w.lane, append(append(append(append([]byte(`{"id":`), inner...), `,"error":`...), fault...), '}'))
	}
}
