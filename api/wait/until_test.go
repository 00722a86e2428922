package wait

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// TestSummariesThatDoNotTell: nothing holds by a summary that the log has left behind or not reached, but a number that the log shows.
func TestSummariesThatDoNotTell(t *testing.T) {
	const id = "0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11"
	for _, c := range []struct {
		name string
		head *session.Head
		want resource.WaitReason
	}{{"as it is written", nil, resource.BecauseRest}, {"not yet written", new(session.Head), ""}} {
		list := roster.New()
		list.Put(&session.Summary{ID: id, Seq: 7, Changed: 7, Status: protocol.Status{State: protocol.StateIdle}}, c.head, true)
		x := list.Find(id)
		rest, err := untilOf(&resource.WaitUntil{Rest: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := rest.holds(x); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
		seq, err := untilOf(&resource.WaitUntil{Seq: 7, Ended: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := seq.holds(x); got != resource.BecauseSeq {
			t.Errorf("%s: a number: %q", c.name, got)
		}
	}
}
