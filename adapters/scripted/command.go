package scripted

import "encoding/json"

// command carries out a command. What the daemon never sends is not there.
func (a *agent) command(line []byte) {
	c, refusal := parseCommand(line)
	if refusal != nil {
		a.out.emit(refusal)
		return
	}
	switch c.Type {
	case "prompt":
		a.prompt(c)
	case "abort":
		a.abort(c)
	case "clear_queue":
		a.out.respond(c, a.player.queue.clear())
	case "extension_ui_response":
		a.player.tools.dialogs.answer(c)
	case "get_state":
		a.out.respond(c, a.state())
	case "get_entries":
		a.entries(c)
	case "get_available_models":
		a.out.respond(c, encode(struct {
			Models []model `json:"models"`
		}{models}))
	case "set_model":
		a.setModel(c)
	default:
		a.out.refuse(c, "Unknown command: %s", c.Type)
	}
}

// prompt takes a prompt, or in a run one that steers it.
func (a *agent) prompt(c command) {
	if c.Message == nil {
		a.out.refuse(c, "Cannot read properties of undefined (reading 'startsWith')")
		return
	}
	p := prompt{text: *c.Message, images: c.Images, at: now()}
	switch {
	case !a.running && a.next == nil:
		a.next = &p
		a.out.respond(c, disposition("started"))
	case c.StreamingBehavior == "steer":
		a.player.queue.add(p)
		a.out.respond(c, disposition("queued"))
	default:
		a.out.refuse(c, "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.")
	}
}

func disposition(what string) json.RawMessage {
	return encode(struct {
		Disposition string `json:"disposition"`
	}{what})
}

// abort is answered when the run has ended.
func (a *agent) abort(c command) {
	switch {
	case !a.running:
		a.out.respond(c, nil)
	case !a.in.deaf[ignoreAbort]:
		a.aborts = append(a.aborts, c)
	}
}

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
		Model: s.model, ThinkingLevel: s.level, IsStreaming: a.running, IsCompacting: a.player.compacting,
		SteeringMode: "one-at-a-time", FollowUpMode: "one-at-a-time", SessionFile: s.sink.Path(), SessionID: s.id,
		AutoCompaction: true, MessageCount: s.messages, PendingMessageCount: len(a.player.queue.list),
	})
}

func (a *agent) entries(c command) {
	found, ok := a.session.since(c.Since)
	if !ok {
		a.out.refuse(c, "Entry not found: %s", *c.Since)
		return
	}
	var leaf *string
	if a.session.leaf != "" {
		leaf = &a.session.leaf
	}
	a.out.respond(c, encode(struct {
		Entries []json.RawMessage `json:"entries"`
		LeafID  *string           `json:"leafId"`
	}{list(found), leaf}))
}

// setModel changes the model, and with it the level of thinking.
func (a *agent) setModel(c command) {
	m, ok := findModel(c.Provider, c.ModelID)
	if !ok {
		a.out.refuse(c, "Model not found: %s/%s", c.Provider, c.ModelID)
		return
	}
	s := a.session
	s.model = m
	s.add(entry{Type: "model_change", Provider: m.Provider, ModelID: m.ID})
	level := "off"
	if m.Reasoning {
		level = "medium"
	}
	if level != s.level {
		s.level = level
		s.add(entry{Type: "thinking_level_change", ThinkingLevel: level})
		a.out.emit(thinkingLevelChanged{Type: "thinking_level_changed", Level: level})
	}
	a.out.respond(c, encode(m))
}
