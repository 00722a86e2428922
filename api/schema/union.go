package schema

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The unions of the description. Each has the form that generators make the most of: every case is a named schema with a tag of
// one value in itself, and what all cases have stands beside the cases, so that what is of a case that a client was not
// generated with can still be read: its number, its type, its content as it came. A case for everything else would take
// the meaning of the tag away from TypeScript, and allOf with a union in it is beyond openapi-typescript.

// SessionEvent is the union of all events of a log.
func SessionEvent(reg huma.Registry) *huma.Schema {
	return union(reg, "SessionEvent", "type",
		"One event of a session's log (protocol/spec.md §4). Readers ignore types and members that they do not know: of those, seq, ts and type can be read.",
		Members{"seq": seqMember(), "ts": tsMember(), "type": Word("What happened; the other members follow from it")}, eventCases(reg))
}

// StreamMessage is what a frame of the stream holds: an event, or a signal that is not in the log.
func StreamMessage(reg huma.Registry) *huma.Schema {
	Define(reg, "HeartbeatMessage", "The connection lives. It has no number of its own and is not in the log.", Members{
		"type": tag("heartbeat"), "seq": number("The last event sent on this connection"), "ts": number("Unix milliseconds"),
	}, "type", "seq", "ts")
	Define(reg, "ResetMessage", "The cursor is not of this log: what the client holds behind common is void. The log follows from its oldest event.", Members{
		"type": tag("reset"), "epoch": number("The log's epoch"), "oldest": number("Its first event"), "newest": number("Its last event"),
		"common": number("Up to here the log is the one that the cursor is of, where that is known"),
	}, "type", "epoch", "oldest", "newest")
	damageMessage(reg)
	overflowMessage(reg)
	return union(reg, "StreamMessage", "type",
		"What one frame of a stream says: an event of the log, a heartbeat, a reset, damage or an overflow. Readers ignore types that they do not know.",
		Members{"type": Word("What the frame says; the other members follow from it")},
		append(eventCases(reg), unionCase{"heartbeat", "HeartbeatMessage"}, unionCase{"reset", "ResetMessage"}, unionCase{"damage", "DamageMessage"},
			unionCase{"overflow", "OverflowMessage"}))
}

// MergedMessage is what a frame of a merged stream holds: an event of one of its sessions, or a signal.
func MergedMessage(reg huma.Registry, signals []Signal) *huma.Schema {
	return union(reg, "MergedMessage", "type",
		"What one frame of a merged stream says: an event, whose session is in the frame's id, or a signal (protocol/spec.md §7.13). "+
			"Readers ignore types that they do not know.",
		Members{"type": Word("What the frame says; the other members follow from it")}, append(eventCases(reg), signalCases(reg, signals)...))
}

// MergedLine is a line of a merged stream in NDJSON.
func MergedLine(reg huma.Registry, signals []Signal) *huma.Schema {
	event := *SessionEvent(reg)
	event.Description = "The event"
	Define(reg, "MergedEvent", "An event of one session of a merged stream, in NDJSON: the log's line stands in it as it is.", Members{
		"type": tag(string(protocol.TypeEvent)), "sessionId": Word("The session"), "cursor": Word("The position of the event"), "event": &event,
	}, "type", "sessionId", "cursor", "event")
	return union(reg, "MergedLine", "type",
		"What one line of a merged stream says: an event with its session, or a signal (protocol/spec.md §7.13). Readers ignore types that they do not know.",
		Members{"type": Word("What the line says; the other members follow from it")},
		append(signalCases(reg, signals), unionCase{string(protocol.TypeEvent), "MergedEvent"}))
}

// Signal is what a merged stream says besides events: its type, a value of the struct that has its members, and what it says.
type Signal struct {
	Tag protocol.Type
	Of  any
	Doc string
}

// signalCases are the signals of a merged stream.
func signalCases(reg huma.Registry, signals []Signal) []unionCase {
	cases := make([]unionCase, len(signals))
	for i, m := range signals {
		t := reflect.TypeOf(m.Of)
		name := t.Name() + "Message"
		cases[i] = unionCase{string(m.Tag), name}
		if reg.Map()[name] == nil {
			s := huma.SchemaFromType(reg, t)
			if m.Tag == protocol.TypeOverflow { // its change is a union of the protocol
				Finish(t, s)
			}
			props := maps.Clone(s.Properties)
			props["type"] = tag(string(m.Tag))
			Define(reg, name, m.Doc, props, s.Required...)
		}
	}
	if item := reg.Map()["Item"]; item != nil {
		item.Description = TypeDocs["SessionEvent"]
	}
	return cases
}

// damageMessage is the signal that a log ends early.
func damageMessage(reg huma.Registry) *huma.Schema {
	s := huma.SchemaFromType(reg, reflect.TypeFor[protocol.Damage]())
	props := maps.Clone(s.Properties)
	props["type"] = tag("damage")
	Define(reg, "DamageMessage", "The log ends here because what follows cannot be read (protocol/spec.md §7.12). It has no number and is not in the log.",
		props, append([]string{"type"}, s.Required...)...)
	return &huma.Schema{Ref: Prefix + "DamageMessage"}
}

// overflowMessage is the signal that a text grows beyond what the log keeps of it.
func overflowMessage(reg huma.Registry) {
	t := reflect.TypeFor[protocol.Overflow]()
	s := huma.SchemaFromType(reg, t)
	Finish(t, s)
	props := maps.Clone(s.Properties)
	props["type"] = tag(string(protocol.TypeOverflow))
	Define(reg, "OverflowMessage", "A part of a text beyond what the log keeps of it (protocol/spec.md §7.18). It has no number and is not in the log.",
		props, append([]string{"type"}, s.Required...)...)
}

// Members are those of a schema, by name.
type Members = map[string]*huma.Schema

func number(doc string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeInteger, Format: "int64", Description: doc}
}

// Word is the schema of a text.
func Word(doc string) *huma.Schema { return &huma.Schema{Type: huma.TypeString, Description: doc} }

func seqMember() *huma.Schema {
	one, s := 1.0, number("Position in the log: 1, 2, 3 …, without gaps")
	s.Minimum = &one
	return s
}

func tsMember() *huma.Schema { return number("Unix milliseconds; never decreases") }

type unionCase struct{ tag, schema string }

// eventName is what the schema of an event is called: its type in one word, and Event.
func eventName(t protocol.Type) string {
	name := ""
	for part := range strings.SplitSeq(string(t), "_") {
		name += strings.ToUpper(part[:1]) + part[1:]
	}
	return name + "Event"
}

func eventCases(reg huma.Registry) []unionCase {
	cases := make([]unionCase, len(Payloads))
	for i, p := range Payloads {
		t := reflect.TypeOf(p).Elem()
		name := eventName(p.Type())
		cases[i] = unionCase{string(p.Type()), name}
		if reg.Map()[name] != nil {
			continue
		}
		s := huma.SchemaFromType(reg, t)
		Finish(t, s)
		s.Properties["seq"], s.Properties["ts"], s.Properties["type"] = seqMember(), tsMember(), tag(string(p.Type()))
		s.Required = append([]string{"seq", "ts", "type"}, s.Required...)
		s.Description = TypeDocs[t.Name()]
		s.Examples = []any{ExampleOf(p.Type())}
		reg.Map()[name] = s
	}
	if reg.Map()["Delta"] == nil {
		defineDelta(reg)
		defineEntryData(reg)
	}
	return cases
}

func defineDelta(reg huma.Registry) {
	cases := make([]unionCase, len(Deltas))
	for i, d := range Deltas {
		t := reflect.TypeOf(d).Elem()
		s := huma.SchemaFromType(reg, t)
		Finish(t, s)
		s.Properties["op"] = tag(d.Op())
		s.Required = append([]string{"op"}, s.Required...)
		s.Description = TypeDocs[t.Name()]
		reg.Map()[t.Name()] = s
		cases[i] = unionCase{d.Op(), t.Name()}
	}
	union(reg, "Delta", "op", "One change of an open entry (protocol/spec.md §4.6). Readers ignore ops that they do not know.",
		Members{"op": Word("What is done; the other members follow from it")}, cases)
}

// entryCases has the content of an entry by its type: entryType stands beside data on the wire, so a case is the two of them.
func entryCases(reg huma.Registry) []unionCase {
	words := enumOf[protocol.EntryType]()
	cases := make([]unionCase, len(words))
	for i, w := range words {
		kind := protocol.EntryType(w.(string))
		t := reflect.TypeOf(protocol.NewEntryData(kind)).Elem()
		if reg.Map()[t.Name()] == nil {
			s := huma.SchemaFromType(reg, t)
			Finish(t, s)
			s.Description = TypeDocs[t.Name()]
			reg.Map()[t.Name()] = s
		}
		name := camel(string(kind)) + "Entry"
		cases[i] = unionCase{string(kind), name}
		Define(reg, name, "The type and the content of an entry: "+entryDocs[kind], Members{
			"entryType": tag(string(kind)), "data": {Ref: Prefix + t.Name(), Description: "The content of the entry"},
		}, "entryType", "data")
	}
	return cases
}

// entryDocs says what the types of entries are (protocol/spec.md §4.4).
var entryDocs = map[protocol.EntryType]string{
	protocol.EntryUserMessage:      "a prompt, as the agent took it.",
	protocol.EntryAssistantMessage: "one text block of the model.",
	protocol.EntryThinking:         "one block of reasoning, or its summaries.",
	protocol.EntryToolCall:         "one tool call, from its first argument to its output.",
	protocol.EntryToolResult:       "the result of a tool call, where the agent has a separate message for it.",
	protocol.EntryPlan:             "the agent's plan.",
	protocol.EntryCompaction:       "what the agent made of its context when it became too long.",
	protocol.EntrySystem:           "a notice of the agent or of the daemon.",
}

func defineEntryData(reg huma.Registry) {
	union(reg, "EntryData", "entryType",
		"The type and the content of an entry (protocol/spec.md §4.5): what entry_start, entry_end and the entries of a state have in common. "+
			"Readers keep types that they do not know: of those, data is there as it came.",
		Members{"entryType": Word("Says what data holds"), "data": {Description: "The content of the entry"}}, entryCases(reg))
}

// byEntryType makes the schema of a struct with entryType and data a union of what these can be, as EntryData is.
func byEntryType(s *huma.Schema) {
	for _, w := range enumOf[protocol.EntryType]() {
		addCase(s, "entryType", unionCase{w.(string), camel(w.(string)) + "Entry"})
	}
}

// tag is the member that tells the cases of a union apart.
func tag(value string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{value}, Description: "Which case of the union this is: always " + value}
}

// Define adds a schema of an object that no Go type stands for.
func Define(reg huma.Registry, name, doc string, props Members, required ...string) {
	reg.Map()[name] = &huma.Schema{Type: huma.TypeObject, Description: doc, Properties: props, Required: required}
}

// union defines a schema whose cases are told apart by a member, and refers to it. All cases have the common members.
func union(reg huma.Registry, name, property, doc string, common Members, cases []unionCase) *huma.Schema {
	if reg.Map()[name] == nil {
		Define(reg, name, doc, common, slices.Sorted(maps.Keys(common))...)
		for _, c := range cases {
			addCase(reg.Map()[name], property, c)
		}
	}
	return &huma.Schema{Ref: Prefix + name}
}

func addCase(s *huma.Schema, property string, c unionCase) {
	if s.Discriminator == nil {
		s.Discriminator = &huma.Discriminator{PropertyName: property, Mapping: map[string]string{}}
	}
	s.OneOf = append(s.OneOf, &huma.Schema{Ref: Prefix + c.schema})
	s.Discriminator.Mapping[c.tag] = Prefix + c.schema
}

// camel makes a type's name of a word.
func camel(snake string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(snake, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
