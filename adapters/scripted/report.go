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
		SessionName         string `json:"sessionName,omitempty"`
		AutoCompaction      bool   `json:"autoCompactionEnabled"`
		MessageCount        int    `json:"messageCount"`
		PendingMessageCount int    `json:"pendingMessageCount"`
	}{
		Model: s.model, ThinkingLevel: s.level, IsStreaming: a.run != nil, IsCompacting: a.run != nil && a.run.compacting,
		SteeringMode: "one-at-a-time", FollowUpMode: "one-at-a-time", SessionFile: s.sink.Path(), SessionID: s.id,
		SessionName: s.name, AutoCompaction: true, MessageCount: len(s.messages),
		PendingMessageCount: len(a.steering) + len(a.followUp),
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

func (a *agent) stats() json.RawMessage {
	type tokens struct {
		Input      int `json:"input"`
		Output     int `json:"output"`
		CacheRead  int `json:"cacheRead"`
		CacheWrite int `json:"cacheWrite"`
		Total      int `json:"total"`
	}
	type context struct {
		Tokens  int     `json:"tokens"`
		Window  int     `json:"contextWindow"`
		Percent float64 `json:"percent"`
	}
	s := a.session
	return encode(struct {
		SessionFile       string  `json:"sessionFile,omitempty"`
		SessionID         string  `json:"sessionId"`
		UserMessages      int     `json:"userMessages"`
		AssistantMessages int     `json:"assistantMessages"`
		ToolCalls         int     `json:"toolCalls"`
		ToolResults       int     `json:"toolResults"`
		TotalMessages     int     `json:"totalMessages"`
		Tokens            tokens  `json:"tokens"`
		Cost              float64 `json:"cost"`
		ContextUsage      context `json:"contextUsage"`
	}{
		SessionFile: s.sink.Path(), SessionID: s.id, UserMessages: s.users, AssistantMessages: s.answers, ToolCalls: s.calls,
		ToolResults: s.results, TotalMessages: len(s.messages),
		Tokens:       tokens{s.tokens.Input, s.tokens.Output, s.tokens.CacheRead, s.tokens.CacheWrite, s.tokens.TotalTokens},
		Cost:         s.cost,
		ContextUsage: context{s.contextTk, s.model.ContextWindow, 100 * float64(s.contextTk) / float64(s.model.ContextWindow)},
	})
}

// list is never null in JSON.
func list(of []json.RawMessage) []json.RawMessage {
	if of == nil {
		return []json.RawMessage{}
	}
	return of
}
