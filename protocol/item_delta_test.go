package protocol_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What a client holds of a message, at any moment, is a text that the message has had: no delta is appended to anything else.
// Proves: I10.1/mixture
func TestDeltasNeverMakeATextOfTheirOwn(t *testing.T) {
	for n := range uint64(200) {
		log := randomLog(rand.New(rand.NewPCG(n, 4)))
		var items protocol.Items
		var state protocol.SessionState
		var list protocol.ItemList
		had := map[string]map[string]bool{} // texts by entry
		for i := range log {
			state.Apply(&log[i])
			for _, x := range state.Entries {
				if d, ok := x.Data.(*protocol.MessageData); ok {
					if had[x.EntryID] == nil {
						had[x.EntryID] = map[string]bool{}
					}
					had[x.EntryID][d.Text] = true
				}
			}
			it, ok := items.Item(&log[i])
			if !ok {
				continue
			}
			list.Add(it)
			for _, it := range list.Items() {
				if it.Type == protocol.ItemMessage && !had[it.EntryID][it.Text] {
					t.Fatalf("log %d, event %d: %s never was %q\n%s", n, log[i].Seq, it.EntryID, it.Text, encode(log[:i+1]))
				}
			}
		}
	}
}
