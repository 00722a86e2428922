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
