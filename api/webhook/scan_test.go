package webhook

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/api/webhook/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestScanAcrossEpochs: what stands in a log that has lost events is told from the loss on, however low its numbers are, and what was told before it is not
// told again.
// Proves: I13.10/lives, I16.1/cursors
func TestScanAcrossEpochs(t *testing.T) {
	var lines bytes.Buffer
	line := func(seq int, rest string) { fmt.Fprintf(&lines, `{"seq":%d,"ts":%d,%s}`+"\n", seq, seq, rest) }
	line(1, `"type":"session_start","sessionId":"s","agentBackend":"scripted","metadata":{}`)
	for seq := 2; seq <= 20; seq++ {
		switch {
		case seq == 10 || seq == 15:
			line(seq, fmt.Sprintf(`"type":"epoch","epoch":%d,"reason":"power"`, seq/5))
		case seq%2 == 0:
			line(seq, fmt.Sprintf(`"type":"turn_start","turnId":"t%d"`, seq))
		default:
			line(seq, fmt.Sprintf(`"type":"turn_end","turnId":"t%d","status":"completed"`, seq-1))
		}
	}
	w, err := new(memory.Store).Create("s")
	if err == nil {
		err = w.Append(store.Batch{First: 1, Count: 20, Lines: lines.Bytes()})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from  core.Position
		first uint64 // the first end of a turn that is told
	}{
		{core.Position{Epoch: 1}, 3},
		{core.Position{Epoch: 1, Seq: 4}, 5},
		{core.Position{Epoch: 1, Seq: 9}, 11},
		{core.Position{Epoch: 1, Seq: 17}, 11}, // 10 to 17 were lost with the first epoch
		{core.Position{Epoch: 1, Seq: 900}, 11},
		{core.Position{Epoch: 2, Seq: 12}, 13},
		{core.Position{Epoch: 2, Seq: 17}, 17},
		{core.Position{Epoch: 3, Seq: 17}, 19},
	} {
		r := &session.Reader{SessionID: "s", Ring: ring.New(3, 20, 1<<10), Log: w.Log(), Epochs: protocol.Epochs{{Epoch: 2, First: 10}, {Epoch: 3, First: 15}}}
		x := &walk{reader: r, in: core.Scanned{Session: "s", From: c.from}}
		x.begin(c.from)
		if err := x.run(); err != nil {
			t.Fatal(err)
		}
		if len(x.in.Found) == 0 || x.in.Found[0].At.Seq != c.first || x.in.Missed != nil || x.in.At != (core.Position{Epoch: 3, Seq: 20}) {
			t.Errorf("from %v: %+v, at %v, missed %v; want %d first", c.from, x.in.Found, x.in.At, x.in.Missed, c.first)
		}
	}
}
