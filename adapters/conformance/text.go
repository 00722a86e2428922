package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Describe writes a draft as one line.
func Describe(d adapters.Draft) string {
	switch d := d.(type) {
	case adapters.EntryOpened:
		return fmt.Sprintf("entry %d opened: %s%s%s %s", d.Key, d.Type, round(d.Round), named(d.PersistentID), data(d.Type, d.Data))
	case adapters.EntryChanged:
		e := protocol.Event{Payload: &protocol.EntryDelta{Delta: d.Delta}}
		return fmt.Sprintf("entry %d changed: %s", d.Key, member(&e, "delta"))
	case adapters.EntryOverflow:
		e := protocol.Event{Payload: &protocol.EntryDelta{Delta: d.Delta}}
		return fmt.Sprintf("entry %d overflows at %d: %s", d.Key, d.Offset, member(&e, "delta"))
	case adapters.EntryClosed:
		how := "closed"
		if d.Incomplete {
			how = "left (" + d.Reason + ")"
		}
		return fmt.Sprintf("entry %d %s:%s %s", d.Key, how, named(d.PersistentID), data(dataType(d.Data), d.Data))
	case adapters.EntryBound:
		if d.ID != "" {
			return fmt.Sprintf("earlier entry %s bound:%s", d.ID, named(d.PersistentID))
		}
		return fmt.Sprintf("entry %d bound:%s", d.Key, named(d.PersistentID))
	case adapters.RequestOpened:
		e := protocol.Event{Payload: &d.Request}
		line := bytes.TrimPrefix(protocol.Append(nil, &e), []byte(`{"seq":0,"ts":0,"type":"request_opened","requestId":"",`))
		within := ""
		if d.Within > 0 {
			within = fmt.Sprintf(" within %d ms", d.Within)
		}
		return fmt.Sprintf("request %d opened: entry %d%s {%s", d.Key, d.Entry, within, line)
	case adapters.RequestClosed:
		return fmt.Sprintf("request %d closed: %s %s %q", d.Key, d.Outcome, d.Option, d.Answers)
	case adapters.TurnBegan:
		if d.Prompt == nil {
			return "turn began"
		}
		return fmt.Sprintf("turn began: %q", d.Prompt.Text)
	case adapters.TurnEnded:
		running := ""
		if d.Lost {
			running = ", lost"
		}
		if len(d.Running) > 0 {
			running += fmt.Sprintf(" (running on: %d)", d.Running)
		}
		return strings.TrimRight(fmt.Sprintf("turn ended: %s%s %s %s", d.Status, running, d.Error, d.Hint), " ")
	case adapters.PhaseChanged:
		if d.RetryAt > 0 {
			return fmt.Sprintf("phase: %s, in %d ms", d.State, d.RetryAt)
		}
		return fmt.Sprintf("phase: %s", d.State)
	case adapters.Used:
		e := protocol.Event{Payload: &d.Usage}
		return "used: " + string(bytes.TrimPrefix(protocol.Append(nil, &e), []byte(`{"seq":0,"ts":0,"type":"token_usage",`)))
	case adapters.MetaChanged:
		e := protocol.Event{Payload: &d.Meta}
		return "meta: " + string(bytes.TrimPrefix(protocol.Append(nil, &e), []byte(`{"seq":0,"ts":0,"type":"session_meta",`)))
	case adapters.Ready:
		return fmt.Sprintf("ready: session %q version %q model %q mode %q", d.NativeSessionID, d.Version, d.Model, d.Mode)
	case adapters.SessionLeft:
		return "session left for " + [...]string{"a new one", "an older one", "a copy"}[d.To]
	case adapters.ChildBegan:
		return fmt.Sprintf("child began: %s entry %d %q", d.NativeID, d.Entry, d.Title)
	case adapters.Offered:
		return fmt.Sprintf("offered: models %s modes %s", choices(d.Models), choices(d.Modes))
	case adapters.SettingAnswered:
		result := [...]string{"now", "next turn", "refused"}[d.Result]
		return strings.TrimRight(fmt.Sprintf("setting %s %s %s", d.ID, result, d.Error), " ")
	case adapters.NativeQueue:
		return fmt.Sprintf("native queue: steering %q follow-up %q cleared %v", d.Steering, d.FollowUp, d.Cleared)
	case adapters.PromptAnswered:
		result := [...]string{"started", "queued", "handled", "refused"}[d.Result]
		return strings.TrimRight(fmt.Sprintf("prompt %s %s %s", d.ID, result, d.Error), " ")
	case adapters.Notice:
		return fmt.Sprintf("notice: %s %s %q", d.Level, d.Kind, d.Text)
	case adapters.Native:
		return fmt.Sprintf("native: %s %s", d.Kind, d.Raw)
	}
	return fmt.Sprintf("%T", d)
}

func choices(list []adapters.Choice) string {
	if list == nil {
		return "as before"
	}
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%q=%q ", c.ID, c.Label)
	}
	return "[" + strings.TrimRight(b.String(), " ") + "]"
}

func round(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" round %d", n)
}

func named(id string) string {
	if id == "" {
		return ""
	}
	return " id " + id
}

// data is the content of an entry as it will be on the wire.
func data(kind protocol.EntryType, d protocol.EntryData) string {
	e := protocol.Event{Payload: &protocol.EntryEnd{EntryType: kind, Data: d}}
	return member(&e, "data")
}

func member(e *protocol.Event, name string) string {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(protocol.Append(nil, e), &members); err != nil {
		return err.Error()
	}
	return string(members[name])
}

// dataType is an entry type that has this data.
func dataType(d protocol.EntryData) protocol.EntryType {
	switch d.(type) {
	case *protocol.MessageData:
		return protocol.EntryAssistantMessage
	case *protocol.ToolCallData:
		return protocol.EntryToolCall
	case *protocol.ToolResultData:
		return protocol.EntryToolResult
	case *protocol.ThinkingData:
		return protocol.EntryThinking
	case *protocol.PlanData:
		return protocol.EntryPlan
	case *protocol.CompactionData:
		return protocol.EntryCompaction
	case *protocol.SystemData:
		return protocol.EntrySystem
	case *protocol.UnknownData:
	}
	return ""
}
