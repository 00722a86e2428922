package pi

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
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

// prompts follows the prompts that wait for their answer.
type prompts struct {
	waiting map[string]string // native id → id of the Prompt command
	started *protocol.Prompt  // what somebody else sent to the idle agent
	sentID  string            // native id of that
}

// promptPrefix begins the native ids of prompts, so that they never meet those of other commands.
const promptPrefix = "p-"

// Command puts a command into lines.
func (t *Translator) Command(cmd adapters.Command, out *adapters.Output) {
	switch c := cmd.(type) {
	case adapters.Prompt:
		t.prompt(c, out)
	case adapters.Interrupt:
		t.interrupt(out)
	case adapters.Answer:
		t.answer(c, out)
	case adapters.SetModel:
		t.setModel(c, out)
	case adapters.SetMode:
		out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingRefused, Error: "Pi has no modes to choose from"})
	}
}

// prompt sends a prompt. Pi takes "steer" also when it is idle, and then starts a run: a prompt that was meant for a
// running turn is not lost when that turn has just ended.
func (t *Translator) prompt(p adapters.Prompt, out *adapters.Output) {
	c := command{ID: promptPrefix + p.ID, Type: "prompt", Message: &p.Text}
	if p.Steer {
		c.Behavior = string(protocol.Steer)
	}
	for _, i := range p.Images {
		t.images[sha256.Sum256(i.Data)] = true
		c.Images = append(c.Images, picture{"image", base64.StdEncoding.EncodeToString(i.Data), i.MediaType})
	}
	t.prompts.waiting[c.ID] = p.ID
	send(out, c)
}

// interrupt stops the run. An abort waits for open dialogs and would hang on them; what is queued would start the next
// run.
func (t *Translator) interrupt(out *adapters.Output) {
	t.run.aborting = true
	t.dialogs.dropAll(out)
	if t.run.modern || !legacy(t.spec.Version) {
		t.clearing = true
		t.ask(out, command{Type: "clear_queue"})
	}
	t.ask(out, command{Type: "abort"})
}

// Sent takes a line that somebody else sent to the agent.
func (t *Translator) Sent(line []byte, out *adapters.Output) {
	var c command
	if native.Decode(line, &c) != nil {
		return
	}
	switch c.Type {
	case "prompt":
		if (!t.run.on || t.run.held) && c.Message != nil {
			s, _ := native.Cut(*c.Message, t.spec.TextLimit())
			t.prompts.started, t.prompts.sentID = &protocol.Prompt{Text: s}, c.ID
		}
	case "clear_queue":
		t.clearing = true
	case "extension_ui_response":
		t.dialogs.answered(&c, out)
	case "bash":
		t.shellStart(c.ID, c.Command, out)
	}
}

// legacy says that a version is one without agent_settled. A build without a version, v0.0.0-…, is not old: it is a
// program of today that speaks Pi's protocol, such as our own scripted agent.
func legacy(version string) bool {
	v := strings.TrimPrefix(version, "v")
	return strings.HasPrefix(v, "0.") && !strings.HasPrefix(v, "0.0.")
}
