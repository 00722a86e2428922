package needs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func session(id string, state protocol.State, minutes int) resource.SessionSummary {
	return resource.SessionSummary{ID: id, Agent: "pi", Title: "title " + id, Status: protocol.Status{State: state}, UpdatedAt: time.UnixMilli(int64(minutes) * 60_000)}
}

func waits(id string, minutes int) resource.InboxRequest {
	return resource.InboxRequest{
		SessionID: id, OpenedAt: time.UnixMilli(int64(minutes) * 60_000),
		Request: protocol.RequestOpened{RequestID: "r" + id, Kind: protocol.RequestApproval, ToolName: "edit", Subject: "x.go\ny.go"},
	}
}

// Those that need somebody come first, the longest waiting before all; then failed, working, idle, ended, the newest first. However the list came about.
func TestOrder(t *testing.T) {
	child := session("child", protocol.StateRunningTool, 1)
	child.SubAgent, child.ParentSessionID = true, "parent"
	list := []resource.SessionSummary{
		session("new", protocol.StateAwaitingApproval, 9), session("old", protocol.StateAwaitingInput, 3), session("dead", protocol.StateFailed, 2),
		session("busy", protocol.StateResponding, 5), session("queued", protocol.StateQueued, 6), session("idle", protocol.StateIdle, 8),
		session("over", protocol.StateCompleted, 7), session("parent", protocol.StateResponding, 4), child,
	}
	want := "[old new parent dead queued busy idle over]"
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 3))
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		var r Roster
		for _, s := range list {
			r.Put(s)
			r.Rows("")
		}
		if fresh := r.SetInbox([]resource.InboxRequest{waits("old", 3), waits("child", 10), waits("new", 9)}); len(fresh) > 0 {
			t.Fatalf("%d requests are new in the first list", len(fresh))
		}
		var got []string
		for _, row := range r.Rows("") {
			got = append(got, row.Session.ID)
		}
		if fmt.Sprint(got) != want {
			t.Fatalf("seed %d: %v, want %s", seed, got, want)
		}
	}
}

// A session whose newest turn has failed is as one that failed, until it goes on.
func TestFailedTurn(t *testing.T) {
	var r Roster
	s := session("a", protocol.StateIdle, 1)
	s.LastTurn = &protocol.LastTurn{Status: protocol.TurnError, Error: "no credit"}
	r.Put(s)
	if row, _ := r.Row("a"); row.Group != Failed || row.Why() != "its turn failed: no credit" {
		t.Errorf("%s: %s", row.Group, row.Why())
	}
	s.Status.State = protocol.StateResponding
	r.Put(s)
	if row, _ := r.Row("a"); row.Group != Working {
		t.Errorf("%s", row.Group)
	}
}

// The row of a session has what the sessions below it ask; a filter leaves rows with all of its words.
func TestSessionOfAnotherNode(t *testing.T) {
	row := &Row{Session: resource.SessionSummary{ID: "a", Node: "0123456789abcdef", Status: protocol.Status{State: protocol.StateIdle}}}
	if why := row.Why(); why != "idle, at 01234567" {
		t.Error(why)
	}
	row.Session.Unreachable = true
	if why := row.Why(); why != "idle, at 01234567, unreachable" {
		t.Error(why)
	}
	row.Session.Node = ""
	if why := row.Why(); why != "idle" {
		t.Error(why)
	}
}

func TestRows(t *testing.T) {
	var r Roster
	parent, child := session("parent", protocol.StateResponding, 1), session("child", protocol.StateRunningTool, 1)
	child.Spawned, child.ParentSessionID = true, "parent"
	r.Put(child)
	r.Put(parent)
	r.SetInbox(nil)
	if fresh := r.SetInbox([]resource.InboxRequest{waits("child", 1)}); len(fresh) != 1 {
		t.Errorf("%d requests are new", len(fresh))
	}
	row, is := r.Row("child")
	if !is || row.Session.ID != "parent" || row.Below != 1 || row.Group != NeedsYou || row.Why() != "edit x.go" {
		t.Errorf("%+v", row)
	}
	if len(r.Rows("PI parent needs")) != 1 || len(r.Rows("parent nowhere")) != 0 {
		t.Error("the filter")
	}
	r.Remove("child")
	if row, _ := r.Row("parent"); row.Below != 0 || len(row.Requests) != 0 || row.Group != Working {
		t.Errorf("%+v", row)
	}
}

// A change calls for reading the requests where the session asks, asked, or is listed as asking; a flood of others does not.
func TestLook(t *testing.T) {
	var r Roster
	var got []bool
	for _, s := range []resource.SessionSummary{
		session("a", protocol.StateResponding, 1), session("a", protocol.StateAwaitingApproval, 1), session("a", protocol.StateResponding, 1), session("a", protocol.StateResponding, 1),
	} {
		got = append(got, r.Put(s))
	}
	if !slices.Equal(got, []bool{false, true, true, false}) {
		t.Errorf("%v", got)
	}
}
