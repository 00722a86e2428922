package poll

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Input is what session_events takes.
type Input struct {
	SessionID       string            `json:"session_id"`
	SinceIndex      *int              `json:"since_index,omitempty" jsonschema:"only events after this index: last_index of the call before, or last_event_index of session_message; -1, the default, is everything"`
	Epoch           uint64            `json:"epoch,omitempty" jsonschema:"epoch of the call that gave since_index, where it was not 1"`
	PromptID        string            `json:"prompt_id,omitempty" jsonschema:"only what this prompt has made: of its turn, or of the turn that it went into, from then on"`
	MaxEvents       int               `json:"max_events,omitempty" minimum:"1" maximum:"1000" jsonschema:"at most so many events, 1 to 1000; default 200"`
	MaxBytes        int               `json:"max_bytes,omitempty" minimum:"4096" maximum:"4194304" jsonschema:"at most so many bytes of events, but always one event: 4096 to 4194304; default 12288"`
	MaxText         int               `json:"max_text,omitempty" minimum:"0" maximum:"1048576" jsonschema:"texts of tool_result, thinking, system and prompt up to so many bytes, to 1048576; default 2000. What is cut says truncated and bytes"`
	Types           []string          `json:"types,omitempty" jsonschema:"only events of these types, such as status, message, tool_call, tool_result, completion, error, request; default all but delta"`
	WaitMs          int               `json:"wait_ms,omitempty" minimum:"0" maximum:"55000" jsonschema:"wait so many milliseconds, at most 55000, for the first event where there is none yet"`
	Follow          bool              `json:"follow,omitempty" jsonschema:"with wait_ms: go on until the turn ends, somebody has to answer (request, caller_tool_request), or a bound is reached; events are told as progress while they come"`
	IncludeChildren bool              `json:"include_children,omitempty" jsonschema:"also the events of the sessions that work for this one, such as sub-agents (64 at most); then pass cursors instead of since_index"`
	Cursors         map[string]string `json:"cursors,omitempty" jsonschema:"with include_children: cursors of the call before, as they are"`
	Detail          bool              `json:"detail,omitempty" jsonschema:"each event also carries the whole event of the log it is made of"`
}

// Output is what session_events answers.
type Output struct {
	LastIndex     int               `json:"last_index" jsonschema:"pass as since_index to read on, with epoch where that is not 1"`
	HasMore       bool              `json:"has_more" jsonschema:"more events are there already: call again at once"`
	SessionID     string            `json:"session_id"`
	Status        string            `json:"status" jsonschema:"running, idle, completed or failed"`
	State         string            `json:"state" jsonschema:"in detail, such as awaiting_approval"`
	Epoch         uint64            `json:"epoch"`
	OldestIndex   int               `json:"oldest_index" jsonschema:"of what is kept"`
	DroppedEvents int               `json:"dropped_events" jsonschema:"events after since_index that are no longer kept"`
	Completed     bool              `json:"completed" jsonschema:"the session has ended well"`
	Failed        bool              `json:"failed" jsonschema:"the session has ended in an error"`
	Error         string            `json:"error,omitempty"`
	Damage        string            `json:"damage,omitempty" jsonschema:"the log is damaged and ends early: what came after these events cannot be read, and nothing will come"`
	Reset         bool              `json:"reset,omitempty" jsonschema:"since_index or a cursor was not of its log: forget what you have, this is from the beginning"`
	Cursors       map[string]string `json:"cursors,omitempty" jsonschema:"with include_children: where each session was read to, by its id: pass them to the next call"`
	Events        []sessionEvent    `json:"events" jsonschema:"a message that grows is one message: a later event with the same entry_id replaces it"`
}

// sessionEvent is protocol.SessionEvent, and with detail what it is made of.
type sessionEvent struct {
	protocol.SessionEvent
	Event json.RawMessage `json:"event,omitempty"`

	replaced bool // by a later one of the same message
}

const (
	defaultEvents = 200
	maxEvents     = 1000
	maxWait       = 55 * time.Second

	defaultBytes = 12 << 10 // of events: with what is around them and their text, a result that no known host cuts
	minBytes     = 4 << 10
	maxBytes     = 4 << 20
	maxText      = 1 << 20 // of one event
)

func (in *Input) check() error {
	if err := problem.CheckID(in.SessionID); err != nil {
		return err
	}
	if in.SinceIndex != nil && *in.SinceIndex < -1 {
		return problem.Invalid("since_index is -1 or more.", "Pass last_index of the call before.")
	}
	if in.MaxEvents < 0 || in.MaxEvents > maxEvents {
		return problem.Invalid(fmt.Sprintf("max_events is 1 to %d.", maxEvents), "Leave it out, and call again while has_more is true.")
	}
	if in.MaxEvents == 0 {
		in.MaxEvents = defaultEvents
	}
	if in.MaxBytes != 0 && (in.MaxBytes < minBytes || in.MaxBytes > maxBytes) {
		return problem.Invalid(fmt.Sprintf("max_bytes is %d to %d.", minBytes, maxBytes), "Leave it out, and call again while has_more is true.")
	}
	if in.MaxBytes == 0 {
		in.MaxBytes = defaultBytes
	}
	if in.MaxText < 0 || in.MaxText > maxText {
		return problem.Invalid(fmt.Sprintf("max_text is 0 to %d.", maxText),
			"Leave it out for the beginnings of long texts; session_text reads a long one page by page.")
	}
	if in.PromptID != "" && in.IncludeChildren {
		return problem.Invalid("prompt_id and include_children do not go together.", "A prompt belongs to one session: leave one of the two out.")
	}
	if in.WaitMs < 0 {
		return problem.Invalid("wait_ms is 0 or more.", "Leave it out to get what is there.")
	}
	in.WaitMs = min(in.WaitMs, int(maxWait/time.Millisecond))
	for _, t := range in.Types {
		if !slices.Contains(output.ItemTypes, protocol.ItemType(t)) {
			return problem.Invalid("There is no event type "+fmt.Sprintf("%.40q", t)+".", "Types are "+strings.Join(output.WordsOf(output.ItemTypes), ", ")+".")
		}
	}
	return nil
}
