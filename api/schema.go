package api

import (
	"encoding/json"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

const schemaPrefix = "#/components/schemas/"

var protocolPath = reflect.TypeFor[protocol.Event]().PkgPath()

// enums are the closed sets of words of package protocol. Sets that stay open (agents, roles, system kinds) are not here.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[protocol.State](): words(protocol.StateStarting, protocol.StateIdle, protocol.StateQueued, protocol.StateResponding,
		protocol.StateRetrying, protocol.StateCompacting, protocol.StateRunningTool, protocol.StateAwaitingApproval,
		protocol.StateAwaitingInput, protocol.StateInterrupting, protocol.StateCompleted, protocol.StateTerminated,
		protocol.StateFailed),
	reflect.TypeFor[protocol.AgentStatus](): words(protocol.AgentIdle, protocol.AgentQueued, protocol.AgentResponding, protocol.AgentRunningTool),
	reflect.TypeFor[protocol.EntryType](): words(protocol.EntryUserMessage, protocol.EntryAssistantMessage, protocol.EntryThinking,
		protocol.EntryToolCall, protocol.EntryToolResult, protocol.EntryPlan, protocol.EntryCompaction, protocol.EntrySystem),
	reflect.TypeFor[protocol.ToolStatus](): words(protocol.ToolPending, protocol.ToolAwaitingApproval, protocol.ToolRunning,
		protocol.ToolCompleted, protocol.ToolError),
	reflect.TypeFor[protocol.TurnStatus](): words(protocol.TurnCompleted, protocol.TurnInterrupted, protocol.TurnError),
	reflect.TypeFor[protocol.EndReason]():  words(protocol.EndCompleted, protocol.EndTerminated, protocol.EndError),
	reflect.TypeFor[protocol.Behavior]():   words(protocol.Steer, protocol.FollowUp),
	reflect.TypeFor[protocol.RequestKind](): words(protocol.RequestApproval, protocol.RequestQuestion, protocol.RequestElicitation,
		protocol.RequestCallerTool),
	reflect.TypeFor[protocol.Outcome](): words(protocol.OutcomeAllowed, protocol.OutcomeDenied, protocol.OutcomeAnswered,
		protocol.OutcomeFailed, protocol.OutcomeCancelled, protocol.OutcomeExpired),
	reflect.TypeFor[protocol.ToolKind](): words(protocol.ToolRead, protocol.ToolSearch, protocol.ToolEdit, protocol.ToolExecute,
		protocol.ToolFetch, protocol.ToolOther),
	reflect.TypeFor[protocol.PolicyMode]():   words(protocol.PolicyAsk, protocol.PolicyAllowReads, protocol.PolicyAllowAll, protocol.PolicyDenyAll),
	reflect.TypeFor[protocol.PolicyAction](): words(protocol.PolicyAllow, protocol.PolicyDeny, protocol.PolicyDenyStop, protocol.PolicyLeave),
	reflect.TypeFor[protocol.RemoveReason](): words(protocol.RemovedDispatched, protocol.RemovedCancelled),
	reflect.TypeFor[protocol.Code]():         words(protocol.Codes()...),
}

func words[S ~string](list ...S) []any {
	out := make([]any, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

func knownState(s protocol.State) bool {
	return slices.Contains(enums[reflect.TypeFor[protocol.State]()], any(string(s)))
}

// payloads has one value of every event type, in the order of protocol.Types. A test holds the two together.
var payloads = []protocol.Payload{
	&protocol.SessionStart{}, &protocol.SessionEnd{}, &protocol.SessionMeta{}, &protocol.ChildSession{}, &protocol.Epoch{},
	&protocol.TurnStart{}, &protocol.TurnEnd{},
	&protocol.EntryStart{}, &protocol.EntryDelta{}, &protocol.EntryEnd{}, &protocol.EntryMeta{},
	&protocol.RequestOpened{}, &protocol.RequestResolved{}, &protocol.PromptQueued{}, &protocol.PromptMoved{}, &protocol.PromptRemoved{},
	&protocol.TokenUsage{}, &protocol.Status{},
}

var deltas = []protocol.Delta{
	&protocol.TextAppend{}, &protocol.TextSet{}, &protocol.ArgumentsAppend{}, &protocol.StatusChange{}, &protocol.SummaryAppend{},
}

var entryData = []protocol.EntryData{
	&protocol.MessageData{}, &protocol.ToolCallData{}, &protocol.ToolResultData{}, &protocol.ThinkingData{}, &protocol.PlanData{},
	&protocol.CompactionData{}, &protocol.SystemData{},
}

// sessionEvent is the union of all events of a log. Generators understand it because every case is a named schema with a
// tag of one value in itself, and because it stands directly under the media type.
func sessionEvent(reg huma.Registry) *huma.Schema {
	return union(reg, "SessionEvent", "type",
		"One event of a session's log (protocol/spec.md §4). Readers ignore types and members that they do not know.", eventCases(reg))
}

// streamMessage is what a frame of the stream holds: an event, or a signal that is not in the log.
func streamMessage(reg huma.Registry) *huma.Schema {
	number := func(doc string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeInteger, Format: "int64", Description: doc}
	}
	define(reg, "HeartbeatMessage", "The connection lives. It has no number of its own and is not in the log.", map[string]*huma.Schema{
		"type": tag("heartbeat"), "seq": number("The last event sent on this connection"), "ts": number("Unix milliseconds"),
	}, "type", "seq", "ts")
	define(reg, "ResetMessage", "The cursor is not of this log: what the client holds is void. The log follows from its oldest event.", map[string]*huma.Schema{
		"type": tag("reset"), "epoch": number("The log's epoch"), "oldest": number("Its first event"), "newest": number("Its last event"),
	}, "type", "epoch", "oldest", "newest")
	return union(reg, "StreamMessage", "type", "What one frame of a stream says.",
		append(eventCases(reg), unionCase{"heartbeat", "HeartbeatMessage"}, unionCase{"reset", "ResetMessage"}))
}

func sessionState(reg huma.Registry) *huma.Schema {
	return reg.Schema(reflect.TypeFor[protocol.SessionState](), true, "")
}

type unionCase struct{ tag, schema string }

func eventCases(reg huma.Registry) []unionCase {
	cases := make([]unionCase, len(payloads))
	for i, p := range payloads {
		t := reflect.TypeOf(p).Elem()
		name := t.Name() + "Event"
		cases[i] = unionCase{string(p.Type()), name}
		if reg.Map()[name] != nil {
			continue
		}
		s := huma.SchemaFromType(reg, t)
		finish(t, s)
		one := 1.0
		s.Properties["seq"] = &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &one, Description: "Position in the log: 1, 2, 3 …, without gaps"}
		s.Properties["ts"] = &huma.Schema{Type: huma.TypeInteger, Format: "int64", Description: "Unix milliseconds; never decreases"}
		s.Properties["type"] = tag(string(p.Type()))
		s.Required = append([]string{"seq", "ts", "type"}, s.Required...)
		s.Description = typeDocs[t.Name()]
		s.Examples = []any{exampleOf(p.Type())}
		reg.Map()[name] = s
	}
	if reg.Map()["Delta"] == nil {
		defineDelta(reg)
		defineEntryData(reg)
	}
	return cases
}

func defineDelta(reg huma.Registry) {
	cases := make([]unionCase, len(deltas))
	for i, d := range deltas {
		t := reflect.TypeOf(d).Elem()
		s := huma.SchemaFromType(reg, t)
		finish(t, s)
		s.Properties["op"] = tag(d.Op())
		s.Required = append([]string{"op"}, s.Required...)
		s.Description = typeDocs[t.Name()]
		reg.Map()[t.Name()] = s
		cases[i] = unionCase{d.Op(), t.Name()}
	}
	union(reg, "Delta", "op", "One change of an open entry (protocol/spec.md §4.6).", cases)
}

// defineEntryData makes one schema of all kinds of entry data. The kind is told by entryType, which stands beside the data and
// not in it; a union without a tag inside is beyond the generators.
func defineEntryData(reg huma.Registry) {
	props := map[string]*huma.Schema{}
	for _, d := range entryData {
		t := reflect.TypeOf(d).Elem()
		s := huma.SchemaFromType(reg, t)
		finish(t, s)
		for name, p := range s.Properties {
			old := props[name]
			switch {
			case old == nil:
				props[name] = p
			case old.Type != p.Type:
				props[name] = &huma.Schema{Description: strings.TrimSpace(old.Description + " " + p.Description), OneOf: []*huma.Schema{bare(old), bare(p)}}
			case old.Description != p.Description && p.Description != "":
				old.Description = strings.TrimSpace(old.Description + " " + p.Description)
			}
		}
	}
	define(reg, "EntryData", "The content of an entry: which members there are, entryType says (protocol/spec.md §4.5).", props)
}

func bare(s *huma.Schema) *huma.Schema {
	c := *s
	c.Description = ""
	return &c
}

func tag(value string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Enum: []any{value}} }

func define(reg huma.Registry, name, doc string, props map[string]*huma.Schema, required ...string) {
	reg.Map()[name] = &huma.Schema{Type: huma.TypeObject, Description: doc, Properties: props, Required: required}
}

func union(reg huma.Registry, name, property, doc string, cases []unionCase) *huma.Schema {
	if reg.Map()[name] == nil {
		s := &huma.Schema{Description: doc, Discriminator: &huma.Discriminator{PropertyName: property, Mapping: map[string]string{}}}
		for _, c := range cases {
			s.OneOf = append(s.OneOf, &huma.Schema{Ref: schemaPrefix + c.schema})
			s.Discriminator.Mapping[c.tag] = schemaPrefix + c.schema
		}
		reg.Map()[name] = s
	}
	return &huma.Schema{Ref: schemaPrefix + name}
}

// finish adds to the schema of a struct what its Go types say and huma does not read: closed sets of words, the two unions,
// descriptions. Members may be added to answers later, so their schemas are open.
func finish(t reflect.Type, s *huma.Schema) {
	s.AdditionalProperties = nil
	for owner, f := range fieldsOf(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := s.Properties[name]
		if p == nil || name == "-" {
			continue
		}
		base := f.Type
		for base.Kind() == reflect.Pointer {
			base = base.Elem()
		}
		switch {
		case base == reflect.TypeFor[protocol.EntryData]():
			*p = huma.Schema{Ref: schemaPrefix + "EntryData"}
		case base == reflect.TypeFor[protocol.Delta]():
			*p = huma.Schema{Ref: schemaPrefix + "Delta"}
		case base == reflect.TypeFor[[]byte]() && owner.PkgPath() == protocolPath: // raw JSON
			*p = huma.Schema{}
		case enums[base] != nil && len(p.Enum) == 0:
			p.Enum = enums[base]
		}
		if doc := fieldDocs[owner.Name()+"."+f.Name]; doc != "" && p.Description == "" && p.Ref == "" {
			p.Description = doc
		}
	}
}

// fieldsOf goes through the fields of a struct and of what it embeds, with the struct that declares each.
func fieldsOf(t reflect.Type) iter.Seq2[reflect.Type, reflect.StructField] {
	return func(yield func(reflect.Type, reflect.StructField) bool) {
		for _, f := range reflect.VisibleFields(t) {
			owner := t
			if n := len(f.Index) - 1; n > 0 {
				owner = t.FieldByIndex(f.Index[:n]).Type
			}
			if !f.Anonymous && f.IsExported() && !yield(owner, f) {
				return
			}
		}
	}
}

// exampleOf is an example event as the codec writes it.
func exampleOf(t protocol.Type) any {
	for i := range exampleEvents {
		if e := &exampleEvents[i]; e.Payload.Type() == t {
			var v any
			if err := json.Unmarshal(protocol.Append(nil, e), &v); err != nil {
				panic(err) // the codec writes JSON
			}
			return v
		}
	}
	return nil
}
