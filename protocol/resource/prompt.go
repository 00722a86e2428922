package resource

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// WaitingPrompt is a prompt of the queue.
type WaitingPrompt struct {
	PromptID          string            `json:"promptId" doc:"What names it to move it or to take it out"`
	Text              string            `json:"text" doc:"What the user wrote"`
	Images            []string          `json:"images,omitempty" doc:"References of the form sha256:DIGEST;MEDIATYPE, for getSessionImage"`
	StreamingBehavior protocol.Behavior `json:"streamingBehavior,omitempty" doc:"What it does while a turn runs. steer: goes into it; followUp (also when absent): waits for its end"`
	ClientID          string            `json:"clientId,omitempty" doc:"Who sent it, as the client says"`
	QueuedAt          time.Time         `json:"queuedAt" doc:"When it was accepted"`
	Sent              bool              `json:"sent,omitempty" doc:"It is with the agent, which will take it in its running turn"`
	Origin            string            `json:"origin,omitempty" doc:"agent: it waits in the agent's own queue"`
	Notify            string            `json:"notifySessionId,omitempty" doc:"The session that gets a prompt once this one is settled"`
}

// PromptAccepted is what became of a prompt, and from where on it can be read.
type PromptAccepted struct {
	PromptID string      `json:"promptId" doc:"What names it in the log and in the queue"`
	Cursor   string      `json:"cursor" doc:"The position from which this prompt, and the turn it makes, can be read"`
	Position int         `json:"position" doc:"Place in the queue; 0: it was dispatched at once"`
	Repeated bool        `json:"repeated,omitempty" doc:"The idempotency key was used before: this is what it got then"`
	Stream   string      `json:"stream" doc:"Where to read on live"`
	Became   *PromptFate `json:"became,omitempty" doc:"What became of a repeated prompt since it was taken"`
	InCore   *bool       `json:"inCore,omitempty" doc:"With --core: whether Core has it already, so that the loss of this machine does not take it; false: not within 300 ms, and the log tells all the same"`
}

// PromptFate is what became of a prompt, as its session's log says.
type PromptFate struct {
	State   string       `json:"state" enum:"queued,running,settled,unknown" doc:"queued: it waits; running: the agent has it; settled: nothing more comes of it, see outcome; unknown: the log cannot be read so far that it tells"`
	TurnID  string       `json:"turnId,omitempty" doc:"The turn that the prompt made or went into; absent: none"`
	Outcome *WaitOutcome `json:"outcome,omitempty" doc:"Of a prompt that is settled"`
}

// The states of a prompt that was taken.
const (
	PromptQueued  = "queued"
	PromptRunning = "running"
	PromptSettled = "settled"
	PromptUnknown = "unknown"
)

// PromptList is the queue of a session.
type PromptList struct {
	Prompts []WaitingPrompt `json:"prompts" doc:"In order: the first is dispatched first"`
}

// PromptMoved is where a prompt has gone.
type PromptMoved struct {
	PromptID string `json:"promptId" doc:"The prompt"`
	Position int    `json:"position" doc:"Its place in the queue, from 1"`
}

// NewPrompt is a prompt that is wanted: text, images or both.
type NewPrompt struct {
	Text              string            `json:"text,omitempty" maxLength:"1048576" example:"Fix the failing test" doc:"What the user wrote"`
	Images            []PromptImage     `json:"images,omitempty" maxItems:"8" doc:"For agents with the capability images"`
	StreamingBehavior protocol.Behavior `json:"streamingBehavior,omitempty" enum:"steer,followUp" doc:"While a turn runs. steer: goes into it; followUp (the default): waits for its end"`
	ClientID          string            `json:"clientId,omitempty" maxLength:"128" doc:"Who asks, for the log"`
	Notify            string            `json:"notify,omitempty" enum:"prompt" doc:"prompt: once this prompt is settled, the session that this one works for is sent a prompt that says so; an agent's own session, where an agent asks"`
}

// PromptImage is an image of a prompt.
type PromptImage struct {
	MediaType string `json:"mediaType" enum:"image/png,image/jpeg,image/gif,image/webp" doc:"What its first bytes say as well"`
	Data      []byte `json:"data" doc:"Base64; at most 10 MiB when decoded"`
}
