package scripted

import "encoding/json"

func (a *agent) state() json.RawMessage {
	s := a.session
	return encode(struct {
		Model               model  `json:"model"`
		ThinkingLevel       string `json:"thinkingLevel"`
		IsStreaming         bool   `json:"isStreaming"`
		IsCompacting        bool   `json:"isCompacting"`
		SteeringMode        string `json:"steeringMode"`
		FollowUpMode        string `json:"followUpMode"`
		SessionFile         string `json:"sessionFile,omitempty"`
		SessionID           string `json:"sessionId"`
		AutoCompaction      bool   `json:"autoCompactionEnabled"`
		MessageCount        int    `json:"messageCount"`
		PendingMessageCount int    `json:"pendingMessageCount"`
	}{
		Model: s.model, ThinkingLevel: s.level, IsStreaming: a.run != nil, IsCompacting: a.run != nil && a.run.compacting,
		SteeringMode: "one-at-a-time", FollowUpMode: "one-at-a-time", SessionFile: s.sink.Path(), SessionID: s.id,
		AutoCompaction: true, MessageCount: s.messages, PendingMessageCount: len(a.steering),
	})
}

func (a *agent) entries(c command) {
	found, ok := a.session.since(c.Since)
	if !ok {
		a.refuse(c, "Entry not found: %s", *c.Since)
		return
	}
	var leaf *string
	if a.session.leaf != "" {
		leaf = &a.session.leaf
	}
	a.respond(c, encode(struct {
		Entries []json.RawMessage `json:"entries"`
		LeafID  *string           `json:"leafId"`
	}{list(found), leaf}))
}

// list is never null in JSON.
func list(of []json.RawMessage) []json.RawMessage {
	if of == nil {
		return []json.RawMessage{}
	}
	return of
}
