package listing_test

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/listing"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// TestPagingWhileOthersComeAndGo: whoever pages through a list sees each session that was there all the time once, in its order, whatever is made, changed and removed
// around it meanwhile, also the one that a page's cursor names.
//
// Proves: I15.4/pages
func TestPagingWhileOthersComeAndGo(t *testing.T) {
	const all = 3000 // of them every third stays; more than a look without its turn, and more than the parts of a set
	r := roster.New()
	put := func(i, n int) {
		r.Put(&session.Summary{
			ID: fmt.Sprintf("s%06d", i), ParentSessionID: "root", Agent: "pi", Owner: "ann", Title: fmt.Sprint(n), Labels: map[string]string{"k": "v"},
			Created: time.UnixMilli(int64(i / 7)), // some are of one time
			Status:  protocol.Status{State: []protocol.State{protocol.StateIdle, protocol.StateResponding}[n%2]},
		}, nil, false)
	}
	for i := range all {
		put(i, 0)
	}
	lists := listing.New(r)
	over, ended := new(atomic.Bool), make(chan struct{})
	changes := new(atomic.Int64)
	go func() {
		defer close(ended)
		for n := 0; !over.Load(); n++ {
			switch i := n * 7 % all; {
			case i%3 == 0: // it stays, and something of it changes
				put(i, n)
			case n%2 == 0:
				r.Remove(fmt.Sprintf("s%06d", i))
			default:
				put(i, n)
			}
			changes.Add(1)
		}
	}()
	defer func() { over.Store(true); <-ended }()
	for name, q := range map[string]listing.Query{
		"all": {}, "owner": {Owner: "ann"}, "parent": {Parent: "root"}, "active": {Active: new(true)}, "under": {Under: "root"},
		"label": {Labels: map[string]string{"k": "v"}}, "text": {Text: "s0"},
	} {
		for _, limit := range []int{17, 256, 1000} {
			q.Limit, q.After = limit, ""
			seen := make([]int, all)
			var order []roster.Place
			before := changes.Load()
			for {
				p, err := lists.Page(t.Context(), q)
				if err != nil || len(p.Sessions) > limit {
					t.Fatalf("%s: %d of %d, %v", name, len(p.Sessions), limit, err)
				}
				for _, s := range p.Sessions {
					var i int
					if _, err := fmt.Sscanf(s.ID, "s%d", &i); err != nil {
						t.Fatal(err)
					}
					seen[i]++
					order = append(order, roster.Place{Created: s.Created.UnixMilli(), ID: s.ID})
				}
				if q.After = p.Next; q.After == "" {
					break
				}
				last := p.Sessions[len(p.Sessions)-1].ID // the cursor's own session goes, unless it is one that stays
				var i int
				if _, err := fmt.Sscanf(last, "s%d", &i); err == nil && i%3 != 0 {
					r.Remove(last)
				}
				for at := changes.Load(); changes.Load() == at; { // something has changed between any two pages
					runtime.Gosched()
				}
			}
			for i, n := range seen {
				if i%3 == 0 && n != 1 || n > 1 {
					t.Fatalf("%s by %d: session %d was seen %d times, %d changes", name, limit, i, n, changes.Load()-before)
				}
			}
			if !slices.IsSortedFunc(order, roster.Place.Compare) {
				t.Errorf("%s by %d: it is out of order", name, limit)
			}
		}
	}
	t.Logf("%d changes", changes.Load())
}
