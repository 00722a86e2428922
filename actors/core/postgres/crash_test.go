package postgres_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// full is whether the tests run in their long form, as tools/core.sh has them.
var full = os.Getenv("RINGMASTER_CORE") == "full"

const id = "0199a7a0-0000-7000-8000-000000000001"

// lines is a stretch of so many lines of 160 bytes.
func lines(first uint64, n int) store.Stretch {
	st := store.Stretch{First: first, Epoch: 1, Time: 1, Sources: []store.Made{{Count: n}}}
	for i := range n {
		line := fmt.Appendf(nil, `{"seq":%d,"ts":1700000000123,"type":"entry.delta","entry":"e%d","text":"`, first+uint64(i), i)
		for len(line) < 157 {
			line = append(line, byte('a'+(len(line)*7+i*3)%26))
		}
		st.Lines = append(append(st.Lines, line...), "\"}\n"...)
	}
	return st
}

func registered(t testing.TB, c core.Core, ids ...string) []core.Position {
	t.Helper()
	me, err := c.Join(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	var records []core.Record
	for _, id := range ids {
		records = append(records, core.Record{Session: id})
	}
	at, err := c.Take(t.Context(), me, records)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestCrash kills the database while a node appends: what was acknowledged is there, and what was not is there as a whole or not at all.
func TestCrash(t *testing.T) {
	server := pgtest.Private(t)
	url := server.URL("postgres")
	if _, _, err := postgres.Migrate(t.Context(), url, postgres.Options{}); err != nil {
		t.Fatal(err)
	}
	c := open(t.Context(), t, url)
	p := registered(t, c, id)[0]
	rounds := 2
	if full {
		rounds = 25
	}
	for round := range rounds {
		enough, ended := make(chan struct{}), make(chan uint64)
		go func() {
			head := p.Head
			for n := 0; ; n++ {
				a, err := c.Append(t.Context(), []core.Batch{{Session: id, Lease: p.Lease, Stretch: lines(head+1, 16)}})
				if err != nil || !a[0].Taken {
					ended <- head
					return
				}
				if head = a[0].At.Head; n == 20+17*round%50 {
					close(enough)
				}
			}
		}()
		<-enough
		if err := server.Crash(); err != nil {
			t.Fatal(err)
		}
		acknowledged := <-ended
		if err := server.Restart(); err != nil {
			t.Fatal(err)
		}
		c = opened(t, url, postgres.Options{})
		t.Cleanup(c.Close)
		at, err := c.Positions(t.Context(), []string{id})
		if err != nil {
			t.Fatal(err)
		}
		if p.Head = at[0].Head; at[0].Lease != p.Lease || p.Head != acknowledged && p.Head != acknowledged+16 {
			t.Fatalf("%d were acknowledged, and it is at %+v", acknowledged, at[0])
		}
		seen := uint64(0)
		for st, err := range c.Stretches(t.Context(), id, 0, p.Head) {
			if err != nil {
				t.Fatal(err)
			}
			if want := lines(st.First, 16); st.First != seen+1 || string(st.Lines) != string(want.Lines) {
				t.Fatalf("behind %d comes %+v", seen, st)
			}
			seen = st.Last()
		}
		if seen != p.Head {
			t.Fatalf("the log ends at %d, want %d", seen, p.Head)
		}
	}
}
