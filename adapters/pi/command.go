package pi

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// command is a line to Pi.
type command struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Message   *string   `json:"message,omitempty"`
	Images    []picture `json:"images,omitempty"`
	Behavior  string    `json:"streamingBehavior,omitempty"`
	Since     string    `json:"since,omitempty"`
	Provider  string    `json:"provider,omitempty"`
	ModelID   string    `json:"modelId,omitempty"`
	Command   string    `json:"command,omitempty"` // of bash
	Confirmed *bool     `json:"confirmed,omitempty"`
	Value     *string   `json:"value,omitempty"`
	Cancelled bool      `json:"cancelled,omitempty"`
}

// picture is an image in a prompt.
type picture struct {
	Type     string `json:"type"`
	Data     string `json:"data"` // base64
	MimeType string `json:"mimeType"`
}

func send(out *adapters.Output, c command) {
	line, err := json.Marshal(c)
	if err != nil {
		return // strings and booleans cannot fail
	}
	out.Line(line)
}

// calls gives ids to the commands that the translator sends for itself.
type calls struct {
	last int // id that was given last
}

// ownPrefix begins these ids.
const ownPrefix = "rm-"

// ask sends a command of the translator's own and gives its id.
func (c *calls) ask(out *adapters.Output, cmd command) string {
	c.last++
	cmd.ID = ownPrefix + strconv.Itoa(c.last)
	send(out, cmd)
	return cmd.ID
}

// legacy says that a version is one without agent_settled. A build without a version, v0.0.0-…, is not old: it is a
// program of today that speaks Pi's protocol, such as our own scripted agent.
func legacy(version string) bool {
	v := strings.TrimPrefix(version, "v")
	return strings.HasPrefix(v, "0.") && !strings.HasPrefix(v, "0.0.")
}
