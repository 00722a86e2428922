package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// seen is what readers at all nodes have been shown.
type seen struct {
	mu     sync.Mutex
	lines  map[string]map[protocol.Cursor]sight // of each session
	texts  map[uint64]string                    // by their sums, the beginnings of what was seen
	wrong  []string
	events int
	resets int
	epochs map[string]int // that have begun, by why

	followers []*follower
}

// sight is what was seen under a cursor first.
type sight struct {
	sum  uint64
	node uint8
}

func sumOf(line []byte) uint64 {
	sum := sha256.Sum256(line)
	return binary.BigEndian.Uint64(sum[:])
}

func newSeen() *seen {
	return &seen{lines: map[string]map[protocol.Cursor]sight{}, texts: map[uint64]string{}, epochs: map[string]int{}}
}

// saw notes an event, which under its cursor is the same for ever.
func (s *seen) saw(node int, id string, at protocol.Cursor, line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events++
	of := s.lines[id]
	if of == nil {
		of = map[protocol.Cursor]sight{}
		s.lines[id] = of
	}
	is := sight{sumOf(line), uint8(node)}
	if _, ok := s.texts[is.sum]; !ok {
		s.texts[is.sum] = string(line[:min(len(line), 120)])
	}
	if was, ok := of[at]; !ok {
		of[at] = is
	} else if was.sum != is.sum {
		s.fault("%s: the cursor %v was, at node %d\n%s\nand is, at node %d\n%s", id, at, was.node, s.texts[was.sum], node, s.texts[is.sum])
	}
}

func (s *seen) fault(format string, args ...any) {
	if len(s.wrong) < 20 {
		s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
	}
}

// follow keeps a session's log at a node as any client of the stream would, until ctx is done, across whatever happens to the stream.
func (s *seen) follow(ctx context.Context, n *node, id string) {
	f := &follower{seen: s, id: id, node: slices.Index(n.of.nodes, n)}
	s.mu.Lock()
	s.followers = append(s.followers, f)
	s.mu.Unlock()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for ctx.Err() == nil {
		if answer, err := n.get(ctx, "/sessions/"+id+"/stream?since="+f.at); err == nil {
			if answer.StatusCode == http.StatusOK {
				f.take(answer.Body)
			}
			answer.Body.Close()
		}
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
}

func (n *node) get(ctx context.Context, path string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+n.address+path, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+n.token)
	return http.DefaultClient.Do(r)
}

type follower struct {
	*seen
	id     string
	node   int
	newest uint64 // seen.mu guards it, and at
	at     string // cursor
}

// behind are the readers that do not have all of the logs.
func (s *seen) behind(merged []*merged, logs map[string][]byte) (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	check := func(kind string, f *follower) {
		log := bytes.TrimSuffix(logs[f.id], []byte{'\n'})
		last := log[bytes.LastIndexByte(log, '\n')+1:]
		at, _ := protocol.ParseCursor(f.at)
		if want := uint64(bytes.Count(logs[f.id], []byte{'\n'})); f.newest != want || s.lines[f.id][at].sum != sumOf(last) {
			list = append(list, fmt.Sprintf("%s of %s at node %d is at %s, of %d events", kind, f.id, f.node, f.at, want))
		}
	}
	for _, f := range s.followers {
		check("the stream", f)
	}
	for _, m := range merged {
		for _, f := range m.of {
			check("the merged stream", f)
		}
	}
	return list
}

func (f *follower) take(body io.Reader) {
	frames := protocol.NewSSEReader(body, 1<<20)
	for {
		frame, err := frames.Next()
		if err != nil {
			return
		}
		m, err := protocol.DecodeMessage(frame.Data)
		if err != nil {
			f.mu.Lock()
			f.fault("%s: %v: %s", f.id, err, frame.Data)
			f.mu.Unlock()
			return
		}
		switch m := m.(type) {
		case *protocol.Reset: // everything follows
			f.mu.Lock()
			f.newest, f.at = 0, fmt.Sprintf("%d.0", m.Epoch)
			f.resets++
			f.mu.Unlock()
		case *protocol.Event:
			at, err := protocol.ParseCursor(frame.ID)
			if err != nil {
				return
			}
			f.mu.Lock()
			if m.Seq != f.newest+1 {
				f.fault("%s: event %d follows event %d", f.id, m.Seq, f.newest)
			}
			f.newest, f.at = m.Seq, frame.ID
			f.mu.Unlock()
			f.saw(f.node, f.id, at, frame.Data)
		}
	}
}

// merged keeps the logs of sessions at a node as a client of merged streams would.
type merged struct {
	at   *node
	node int
	seen *seen
	of   map[string]*follower // seen.mu guards what they hold
}

func (s *seen) merged(n *node, ids []string) *merged {
	m := &merged{at: n, node: slices.Index(n.of.nodes, n), seen: s, of: map[string]*follower{}}
	for _, id := range ids {
		m.of[id] = &follower{seen: s, id: id, node: m.node}
	}
	return m
}

// run follows until ctx is done, across whatever happens to the stream. What it has, it has from one stream or the next.
func (m *merged) run(ctx context.Context) {
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for ctx.Err() == nil {
		var query []string
		for id, f := range m.of {
			query = append(query, "session="+id+":"+f.at)
		}
		if answer, err := m.at.get(ctx, "/stream?"+strings.Join(query, "&")); err == nil {
			if answer.StatusCode == http.StatusOK {
				m.take(answer.Body)
			}
			answer.Body.Close()
		}
		select {
		case <-again.C:
		case <-ctx.Done():
		}
	}
}

func (m *merged) take(body io.Reader) {
	frames := protocol.NewSSEReader(body, 1<<20)
	for last := ""; ; last = frames.LastEventID() {
		frame, err := frames.Next()
		if err != nil {
			return
		}
		id, at, isEvent := strings.Cut(frame.ID, "/")
		var said struct {
			Type      protocol.Type `json:"type"`
			SessionID string        `json:"sessionId"`
			Epoch     uint64        `json:"epoch"`
		}
		switch {
		case isEvent && frame.ID != last:
			m.event(m.of[id], at, frame.Data)
		case json.Unmarshal(frame.Data, &said) != nil:
			m.seen.mu.Lock()
			m.seen.fault("a signal at node %d: %s", m.node, frame.Data)
			m.seen.mu.Unlock()
		case said.Type == protocol.TypeReset:
			m.seen.mu.Lock()
			m.of[said.SessionID].newest, m.of[said.SessionID].at = 0, fmt.Sprintf("%d.0", said.Epoch)
			m.seen.resets++
			m.seen.mu.Unlock()
		case said.Type == protocol.TypeSessionGone: // of a node that does not know it yet
			return
		}
	}
}

func (m *merged) event(f *follower, text string, line []byte) {
	at, err := protocol.ParseCursor(text)
	m.seen.mu.Lock()
	if err != nil || at.Seq != f.newest+1 {
		m.seen.fault("%s: at the merged stream of node %d event %s follows event %d: %v", f.id, m.node, text, f.newest, err)
	}
	f.newest, f.at = at.Seq, text
	m.seen.mu.Unlock()
	m.seen.saw(m.node, f.id, at, line)
}

// log is a session's log as a node serves it.
func (n *node) log(ctx context.Context, id string) ([]byte, error) {
	return n.text(ctx, "/sessions/"+id+"/log")
}

func (n *node) text(ctx context.Context, path string) ([]byte, error) {
	answer, err := n.get(ctx, path)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", answer.Status, text)
	}
	return text, err
}

// isSetAside says that a word is in the end of a session's log that a node keeps beside it.
func (c *cluster) isSetAside(id, word string) bool {
	for _, n := range c.nodes {
		var list resource.LostList
		text, err := n.text(c.t.Context(), "/sessions/"+id+"/lost")
		if err != nil || json.Unmarshal(text, &list) != nil {
			continue
		}
		for _, end := range list.Lost {
			if text, err := n.text(c.t.Context(), "/sessions/"+id+"/lost/"+end.Name); err == nil && bytes.Contains(text, []byte(word)) {
				return true
			}
		}
	}
	return false
}

// judge holds what was seen of a session against its log in the end: what is not in it lies behind the beginning of a later epoch, or in an epoch that it
// never had. A cursor names a place of the log as it was in its epoch, so that the events of earlier ones are named in each (spec §2.2).
func (s *seen) judge(id string, log []byte) {
	firsts := map[uint64]uint64{1: 1}
	var final []uint64
	for line := range bytes.Lines(log) {
		e, err := protocol.Decode(line)
		if err != nil || e.Seq != uint64(len(final))+1 {
			s.fault("%s: the event behind %d is %s, %v", id, len(final), line, err)
			return
		}
		if p, ok := e.Payload.(*protocol.Epoch); ok {
			firsts[p.Epoch] = e.Seq
			s.epochs[p.Reason]++
		}
		final = append(final, sumOf(bytes.TrimSuffix(line, []byte{'\n'})))
	}
	for at, was := range s.lines[id] {
		if at.Seq <= uint64(len(final)) && final[at.Seq-1] == was.sum {
			continue
		}
		_, known := firsts[at.Epoch]
		announced := !known
		for e, first := range firsts {
			announced = announced || e > at.Epoch && first <= at.Seq
		}
		if !announced {
			s.fault("%s: %v was seen at node %d and is gone, and no later epoch says so: %s", id, at, was.node, s.texts[was.sum])
		}
	}
}
