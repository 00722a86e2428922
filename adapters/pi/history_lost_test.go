package pi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestLostEntries: what the log has of a turn whose agent was lost gets the ids that the agent tells when it goes on.
// Proves: I10.4/lost_ids
func TestLostEntries(t *testing.T) {
	user := func(id, text string) adapters.Unbound {
		return adapters.Unbound{ID: id, Type: protocol.EntryUserMessage, Text: text}
	}
	said := func(id, text string) adapters.Unbound {
		return adapters.Unbound{ID: id, Type: protocol.EntryAssistantMessage, Text: text}
	}
	call := func(id, call string) adapters.Unbound {
		return adapters.Unbound{ID: id, Type: protocol.EntryToolCall, CallID: call}
	}
	storedUser := func(id, text string) string {
		return fmt.Sprintf(`{"id":%q,"type":"message","message":{"role":"user","content":%q,"timestamp":1}}`, id, text)
	}
	stored := func(id string, blocks ...string) string {
		return fmt.Sprintf(`{"id":%q,"type":"message","message":{"role":"assistant","content":[%s],"timestamp":2}}`, id, strings.Join(blocks, ","))
	}
	text := func(s string) string { return fmt.Sprintf(`{"type":"text","text":%q}`, s) }
	tool := func(id string) string {
		return fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"bash","arguments":{}}`, id)
	}
	long := strings.Repeat("é", adapters.MaxUnboundText)

	for _, c := range []struct {
		name   string
		known  []string
		lost   []adapters.Unbound
		stored []string
		want   string
	}{
		{
			"all of a turn", nil,
			[]adapters.Unbound{user("e1", "Go"), said("e2", "I look."), call("e3", "c1")},
			[]string{storedUser("a", "Go"), stored("b", text("I look."), tool("c1")), `{"id":"r","type":"message","message":{"role":"toolResult","toolCallId":"c1"}}`},
			"e1=a e2=b e3=b",
		},
		{
			"an answer that was not stored", nil,
			[]adapters.Unbound{user("e1", "Go"), said("e2", "Half an ans")},
			[]string{storedUser("a", "Go")},
			"e1=a",
		},
		{
			"an answer of which more was stored than heard", nil,
			[]adapters.Unbound{said("e2", "Half an ans")},
			[]string{stored("b", text("Half an answer, and"))},
			"e2=b",
		},
		{
			"an answer of which less was stored than heard", nil,
			[]adapters.Unbound{said("e2", "Half an answer")},
			[]string{stored("b", text("Half an"))},
			"e2=b",
		},
		{
			"the same words again: the newest", nil,
			[]adapters.Unbound{user("e7", "Go on"), said("e8", "Yes.")},
			[]string{storedUser("a", "Go on"), stored("b", text("Yes.")), storedUser("c", "Go on"), stored("d", text("Yes."))},
			"e7=c e8=d",
		},
		{
			"the same words twice", nil,
			[]adapters.Unbound{user("e1", "Go on"), user("e2", "Go on")},
			[]string{storedUser("a", "Go on"), storedUser("b", "Go on")},
			"e1=a e2=b",
		},
		{
			"what the log knows",
			[]string{"x", "b"},
			[]adapters.Unbound{user("e3", "Go on"), said("e4", "Yes.")},
			[]string{storedUser("a", "Go on"), stored("b", text("Yes.")), storedUser("c", "Go on")},
			"e3=c",
		},
		{
			"a text in two pieces", nil,
			[]adapters.Unbound{said("e1", "I look."), call("e2", "c1"), said("e3", "\nSo.")},
			[]string{stored("b", text("I look.\nSo."), tool("c1"))},
			"e1=b e3=b",
		},
		{
			"an id of the provider's that came before", nil,
			[]adapters.Unbound{call("e9", "c1")},
			[]string{stored("a", tool("c1")), stored("b", tool("c1"))},
			"e9=b",
		},
		{
			"a long text", nil,
			[]adapters.Unbound{user("e1", long[:adapters.MaxUnboundText])},
			[]string{storedUser("a", long)},
			"e1=a",
		},
		{
			"other words", nil,
			[]adapters.Unbound{user("e1", "Go"), said("e2", "x"), call("e3", "c1")},
			[]string{storedUser("a", "Stop"), stored("b", text(""), tool("c2"))},
			"",
		},
		{
			"a compaction", nil,
			[]adapters.Unbound{{ID: "e4", Type: protocol.EntryCompaction, Text: "It was long."}},
			[]string{`{"id":"k","type":"compaction","summary":"It was long.","firstKeptEntryId":"z"}`},
			"e4=k",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := begin(t, adapters.Spec{Resume: true, Version: "1.5.2", Known: c.known, Unbound: c.lost}).Line(stateLine).Quiet()
			k.Line(`{"id":"rm-2","type":"response","command":"get_entries","success":true,"data":{"entries":[` + strings.Join(c.stored, ",") + `]}}`)
			var want strings.Builder
			for pair := range strings.FieldsSeq(c.want) {
				entry, id, _ := strings.Cut(pair, "=")
				fmt.Fprintf(&want, "earlier entry %s bound: id %s\n", entry, id)
			}
			k.Want(want.String())
		})
	}
	// Once, at the start: later answers are about what came later.
	k := begin(t, adapters.Spec{Resume: true, Version: "1.5.2", Unbound: []adapters.Unbound{user("e1", "Go")}}).Line(stateLine).Quiet()
	k.Line(`{"id":"rm-2","type":"response","command":"get_entries","success":true,"data":{"entries":[]}}`).Quiet()
	k.Line(`{"id":"x","type":"response","command":"get_entries","success":true,"data":{"entries":[` + storedUser("a", "Go") + `]}}`).Want("")
}
