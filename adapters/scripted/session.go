package scripted

import (
	"encoding/json"
	"fmt"
	"time"
)

// session is what Pi keeps in its session file: a chain of entries.
type session struct {
	id       string
	ids      *ids
	model    model
	level    string // of thinking
	sink     Sink
	entries  []json.RawMessage
	index    map[string]int // entry id → position
	leaf     string
	messages int
	context  int // tokens of the last answer
}

// entry is one line of the session file; which members it has depends on its type.
type entry struct {
	Type          string          `json:"type"`
	ID            string          `json:"id"`
	ParentID      *string         `json:"parentId"`
	Timestamp     string          `json:"timestamp"`
	Message       json.RawMessage `json:"message,omitempty"`
	Provider      string          `json:"provider,omitempty"`
	ModelID       string          `json:"modelId,omitempty"`
	ThinkingLevel string          `json:"thinkingLevel,omitempty"`
	TargetID      string          `json:"targetId,omitempty"`
	Replacement   json.RawMessage `json:"replacement,omitempty"`
	Summary       string          `json:"summary,omitempty"`
	FirstKept     string          `json:"firstKeptEntryId,omitempty"`
	TokensBefore  int             `json:"tokensBefore,omitempty"`
	Usage         *wireUsage      `json:"usage,omitempty"`
}

type header struct {
	Type      string `json:"type"`
	Version   int    `json:"version"`
	ID        string `json:"id"`
	Timestamp string `json:"timestamp"`
	Cwd       string `json:"cwd"`
}

// openSession loads a session, or begins it.
func openSession(store Sessions, id, cwd string, m model, ids *ids) (s *session, existed bool, err error) {
	now := time.Now().UTC()
	lines, sink, err := store.Open(id, now)
	if err != nil {
		return nil, false, fmt.Errorf("open session %s: %w", id, err)
	}
	s = &session{id: id, ids: ids, model: m, level: "medium", sink: sink, index: map[string]int{}}
	for i, line := range lines {
		if i > 0 {
			s.load(line)
		}
	}
	if len(lines) > 0 {
		return s, true, nil
	}
	s.write(encode(header{Type: "session", Version: 3, ID: id, Timestamp: now.Format(isoMillis), Cwd: cwd}))
	s.add(entry{Type: "model_change", Provider: m.Provider, ModelID: m.ID})
	s.add(entry{Type: "thinking_level_change", ThinkingLevel: s.level})
	return s, false, nil
}

// load takes one line of the file. What is no entry is left out, as a torn last line is.
func (s *session) load(line []byte) {
	var e entry
	if json.Unmarshal(line, &e) != nil || e.ID == "" {
		return
	}
	if e.Type == "model_change" {
		if m, ok := findModel(e.Provider, e.ModelID); ok {
			s.model = m
		}
	}
	if e.Type == "thinking_level_change" {
		s.level = e.ThinkingLevel
	}
	s.keep(e, line)
}

// add appends an entry and returns it as written.
func (s *session) add(e entry) (raw json.RawMessage) {
	for e.ID = s.ids.entry(); ; e.ID = s.ids.entry() {
		if _, taken := s.index[e.ID]; !taken {
			break
		}
	}
	if s.leaf != "" {
		e.ParentID = ptr(s.leaf)
	}
	e.Timestamp = time.Now().UTC().Format(isoMillis)
	raw = encode(e)
	s.write(raw)
	s.keep(e, raw)
	return raw
}

func (s *session) write(raw json.RawMessage) { s.sink.Append(raw) }

func (s *session) keep(e entry, raw json.RawMessage) {
	s.index[e.ID] = len(s.entries)
	s.entries = append(s.entries, raw)
	s.leaf = e.ID
	if e.Type == "message" {
		s.count(e.Message)
	}
}

// count counts a message, and notes how large the context is after it.
func (s *session) count(raw json.RawMessage) {
	s.messages++
	var m struct {
		Usage wireUsage `json:"usage"`
	}
	if json.Unmarshal(raw, &m) == nil && m.Usage.TotalTokens > 0 {
		s.context = m.Usage.TotalTokens
	}
}

// since returns the entries behind one.
func (s *session) since(id *string) ([]json.RawMessage, bool) {
	if id == nil {
		return s.entries, true
	}
	i, ok := s.index[*id]
	if !ok {
		return nil, false
	}
	return s.entries[i+1:], true
}
