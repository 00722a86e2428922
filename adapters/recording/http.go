package recording

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

// http makes lines of a call and its answer. An answer that comes when the agent has gone is nobody's.
func (t *teller) http(w *wire) {
	var d struct {
		N      uint64          `json:"n"`
		Phase  string          `json:"phase"`
		Method string          `json:"method"`
		Path   string          `json:"path"`
		Status int             `json:"status"`
		Error  string          `json:"error"`
		Body   json.RawMessage `json:"body"`
	}
	if json.Unmarshal(w.Data, &d) != nil {
		t.bad("no http record")
		return
	}
	if d.Phase != "response" {
		call := httpline.Call{N: d.N, Method: d.Method, Path: d.Path, Body: d.Body}
		t.emit(w.Conn, In{Line: call.Append(nil)})
		return
	}
	if t.gone() {
		t.say(Note{Text: "an answer after the end"})
		return
	}
	answer := httpline.Answer{N: d.N, Status: d.Status, Body: d.Body, Error: d.Error}
	if d.Status == 0 && d.Error == "" {
		answer.Error = "no answer was recorded"
	}
	t.emit(w.Conn, Out{Line: answer.Append(nil)})
}

// gone says that an agent has ended and no other begun.
func (t *teller) gone() bool { return t.starts > 0 && len(t.live) == 0 && t.spawned == nil }

// streams are the streams of events that are open.
type streams []stream

type stream struct{ conn, path string }

// width ranks a stream by how much of the agent's events it carries: less is wider.
func (s stream) width() int {
	path, _, _ := strings.Cut(s.path, "?")
	switch path {
	case "/global/event":
		return 0
	case "/event":
		return 1
	case "/api/event":
		return 2
	}
	return 3
}

// counts says that a stream is one whose events are given: that no wider one of its connection is open.
func (l *streams) counts(s stream) bool {
	for _, other := range *l {
		if other.conn == s.conn && other.width() < s.width() {
			return false
		}
	}
	return true
}

func (l *streams) open(s stream) {
	if !slices.Contains(*l, s) {
		*l = append(*l, s)
	}
}

func (l *streams) close(s stream) {
	l.remove(func(other stream) bool { return other == s })
}

// forget drops the streams of a connection that has ended.
func (l *streams) forget(conn string) {
	l.remove(func(s stream) bool { return s.conn == conn })
}

func (l *streams) remove(which func(stream) bool) {
	kept := (*l)[:0]
	for _, s := range *l {
		if !which(s) {
			kept = append(kept, s)
		}
	}
	*l = kept
}

// event gives an event of a stream. A comment is no event.
func (t *teller) event(w *wire) {
	s := stream{w.Conn, w.Src}
	t.streams.open(s)
	line := w.native()
	if t.streams.counts(s) && !strings.HasPrefix(string(line), `{"_comment":`) {
		t.emit(w.Conn, Out{Line: httpline.Event(line), Src: w.Src})
	}
}

var (
	streamOpened = regexp.MustCompile(`^sse: (\S+) answered 2`)
	streamClosed = regexp.MustCompile(`^sse: (\S+) closed: (.*)$`)
)

// streamNote takes what a note says of a stream; a stream whose events are not given stays a note.
func (t *teller) streamNote(w *wire, text string) bool {
	var state httpline.Stream
	if m := streamOpened.FindStringSubmatch(text); m != nil {
		t.streams.open(stream{w.Conn, m[1]})
		state = httpline.Stream{State: httpline.Open, Path: m[1]}
	} else if m := streamClosed.FindStringSubmatch(text); m != nil {
		state = httpline.Stream{State: httpline.Lost, Path: m[1], Error: m[2]}
	}
	s := stream{w.Conn, state.Path}
	given := state.State != "" && !t.gone() && t.streams.counts(s)
	if given {
		t.emit(w.Conn, Out{Line: state.Append(nil), Src: state.Path})
	}
	if state.State == httpline.Lost {
		t.streams.close(s)
	}
	return given
}
