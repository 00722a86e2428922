package core

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The logs of a recording refer to each other as live ones do.
func TestImportOfASubAgent(t *testing.T) {
	var parent, child []string
	note := func(to *[]string, events []protocol.Event) {
		for i := range events {
			*to = append(*to, string(events[i].Payload.Type()))
		}
	}
	const id = "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"
	p, events := NewImport(1, id, claude.Agent{}, protocol.Metadata{})
	note(&parent, events)
	note(&parent, p.Connect(2))
	note(&parent, p.Drafts(3, []adapters.Draft{adapters.Ready{}, adapters.TurnBegan{}, tool(1, protocol.ToolRunning), adapters.ChildBegan{NativeID: "n", Entry: 1}}))
	c, events := NewImport(4, ChildID(id, "n"), claude.Agent{}, protocol.Metadata{ParentSessionID: id, SubAgent: true})
	note(&child, events)
	note(&child, c.Connect(5))
	pass := func() {
		for _, m := range c.ToRoot() {
			note(&parent, p.FromChild(6, m))
		}
	}
	note(&child, c.Drafts(6, []adapters.Draft{adapters.Ready{}, adapters.TurnBegan{}, askFor(1)}))
	pass()
	note(&child, c.Drafts(7, []adapters.Draft{adapters.RequestClosed{Key: 1, Outcome: protocol.OutcomeAllowed}}))
	pass()
	note(&child, c.Drafts(8, []adapters.Draft{adapters.TurnEnded{Status: protocol.TurnCompleted}}))
	note(&child, c.Exit(9, adapters.Exit{}))
	pass()
	if len(c.ToRoot()) != 0 {
		t.Fatal("said twice")
	}
	count := func(list []string, typ protocol.Type) (n int) {
		for _, x := range list {
			if x == string(typ) {
				n++
			}
		}
		return n
	}
	for _, typ := range []protocol.Type{protocol.TypeRequestOpened, protocol.TypeRequestResolved} {
		if count(parent, typ) != 1 || count(child, typ) != 1 {
			t.Fatalf("%s: parent %v, child %v", typ, parent, child)
		}
	}
	if count(parent, protocol.TypeChildSession) != 1 || child[len(child)-1] != string(protocol.TypeSessionEnd) {
		t.Fatalf("parent %v, child %v", parent, child)
	}
}
