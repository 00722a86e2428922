package scripted

import "encoding/json"

// command is one line of stdin; which members count depends on its type.
type command struct {
	ID                json.RawMessage `json:"id"`
	Type              string          `json:"type"`
	Message           *string         `json:"message"`
	Images            []imageBlock    `json:"images"`
	StreamingBehavior string          `json:"streamingBehavior"`
	Since             *string         `json:"since"`
	Provider          string          `json:"provider"`
	ModelID           string          `json:"modelId"`
	Confirmed         *bool           `json:"confirmed"`
	Value             *string         `json:"value"`
	Cancelled         bool            `json:"cancelled"`
}

// parseCommand reads a command. A line that is no JSON gives a refusal in place of it.
func parseCommand(line []byte) (c command, refusal *response) {
	if !json.Valid(line) {
		var v json.RawMessage
		err := json.Unmarshal(line, &v)
		return c, &response{Type: "response", Command: "parse", Error: "Failed to parse command: " + err.Error()}
	}
	err := json.Unmarshal(line, &c)
	if string(c.ID) == "null" {
		c.ID = nil
	}
	switch {
	case c.Type == "":
		return c, &response{ID: c.ID, Type: "response", Error: "Unknown command: undefined"}
	case err != nil:
		return c, &response{ID: c.ID, Type: "response", Command: c.Type, Error: err.Error()}
	}
	return c, nil
}

// command takes one command. What the daemon never sends is not there.
func (a *agent) command(line []byte) {
	c, refusal := parseCommand(line)
	if refusal != nil {
		a.emit(refusal)
		return
	}
	switch c.Type {
	case "prompt":
		a.prompt(c)
	case "abort":
		a.abort(c)
	case "clear_queue":
		a.clearQueue(c)
	case "extension_ui_response":
		a.answerDialog(c)
	case "get_state":
		a.respond(c, a.state())
	case "get_entries":
		a.entries(c)
	case "get_available_models":
		a.respond(c, encode(struct {
			Models []model `json:"models"`
		}{models}))
	case "set_model":
		a.setModel(c)
	default:
		a.refuse(c, "Unknown command: %s", c.Type)
	}
}

// prompt takes a prompt, or in a run one that steers it.
func (a *agent) prompt(c command) {
	if c.Message == nil {
		a.refuse(c, "Cannot read properties of undefined (reading 'startsWith')")
		return
	}
	p := prompt{text: *c.Message, images: c.Images, at: now()}
	switch {
	case a.run == nil && a.next == nil:
		a.next = &p
		a.respond(c, disposition("started"))
	case c.StreamingBehavior == "steer":
		a.steering = append(a.steering, p)
		a.emitQueue()
		a.respond(c, disposition("queued"))
	default:
		a.refuse(c, "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.")
	}
}

func disposition(what string) json.RawMessage {
	return encode(struct {
		Disposition string `json:"disposition"`
	}{what})
}

func (a *agent) emitQueue() {
	a.emit(queueUpdate{Type: "queue_update", queued: queued{texts(a.steering), []string{}}})
}

func texts(of []prompt) []string {
	out := make([]string, 0, len(of))
	for _, p := range of {
		out = append(out, p.text)
	}
	return out
}

func (a *agent) clearQueue(c command) {
	data := encode(queued{texts(a.steering), []string{}})
	a.steering = nil
	a.emitQueue()
	a.respond(c, data)
}

// abort is answered when the run has ended.
func (a *agent) abort(c command) {
	switch {
	case a.run == nil:
		a.respond(c, nil)
	case !a.ignore[ignoreAbort]:
		a.run.aborts = append(a.run.aborts, c)
	}
}

func (a *agent) answerDialog(c command) {
	var id string
	if _ = json.Unmarshal(c.ID, &id); a.run == nil || id == "" || id != a.run.dialog {
		return // Pi says nothing about stale answers
	}
	a.run.dialog = ""
	a.run.reply = reply{no: c.Cancelled || c.Confirmed != nil && !*c.Confirmed}
	if c.Value != nil {
		a.run.reply.value = *c.Value
	}
	a.run.replied = true
}

// setModel changes the model, and with it the level of thinking.
func (a *agent) setModel(c command) {
	m, ok := findModel(c.Provider, c.ModelID)
	if !ok {
		a.refuse(c, "Model not found: %s/%s", c.Provider, c.ModelID)
		return
	}
	a.session.model = m
	a.session.add(entry{Type: "model_change", Provider: m.Provider, ModelID: m.ID}, a.entryID)
	level := "off"
	if m.Reasoning {
		level = "medium"
	}
	if level != a.session.level {
		a.session.level = level
		a.session.add(entry{Type: "thinking_level_change", ThinkingLevel: level}, a.entryID)
		a.emit(thinkingLevelChanged{Type: "thinking_level_changed", Level: level})
	}
	a.respond(c, encode(m))
}
