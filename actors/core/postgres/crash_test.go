package postgres_test

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

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
	s := startAppending(t)
	for round := range often(25) {
		acknowledged := s.lose(round, s.server.Crash)
		if err := s.server.Restart(); err != nil {
			t.Fatal(err)
		}
		if head := s.judge(); head != acknowledged && head != acknowledged+16 {
			t.Fatalf("%d were acknowledged, and %d are there", acknowledged, head)
		}
	}
}

// TestFailover kills the database while a node appends, and a replica takes its place. Where commits have waited for it, what was acknowledged is there; where it
// was behind, what it has is whole, and the node appends behind that.
//
// Proves: I16.3/fail-over
func TestFailover(t *testing.T) {
	s := startAppending(t)
	behind := 0
	rounds := often(12)
	if n, err := strconv.Atoi(os.Getenv("RINGMASTER_FAILOVERS")); err == nil {
		rounds = n
	}
	for round := range rounds {
		waits := round%2 == 0
		r, err := s.server.Follow(t.Context(), waits)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.Stop)
		middle := func() error { return nil }
		if round%4 == 1 { // else it is behind by what was under way
			middle = func() error { return r.Lag(t.Context()) }
		}
		acknowledged := s.lose(round, middle, func() error { return r.Promote(t.Context()) })
		switch head := s.judge(); {
		case waits && head != acknowledged && head != acknowledged+16, head > acknowledged+16:
			t.Fatalf("%d were acknowledged, and %d are there; the commits waited: %v", acknowledged, head, waits)
		case head < acknowledged:
			behind++
		}
	}
	if t.Logf("%d fail-overs, behind in %d", rounds, behind); behind == 0 {
		t.Error("no replica was behind")
	}
}

// often is how often a database is lost.
func often(most int) int {
	if full {
		return most
	}
	return 2
}

// appending is a node that appends to a log on a database that it loses.
type appending struct {
	t      *testing.T
	server *pgtest.Server
	core   core.Core
	at     core.Position
}

func startAppending(t *testing.T) *appending {
	t.Helper()
	s := &appending{t: t, server: pgtest.Private(t)}
	if _, _, err := postgres.Migrate(t.Context(), s.server.URL("postgres"), postgres.Options{}); err != nil {
		t.Fatal(err)
	}
	s.core = open(t.Context(), t, s.server.URL("postgres"))
	s.at = registered(t, s.core, id)[0]
	return s
}

// lose does some things one after another while the node appends, the last of which loses the database, and says what was acknowledged.
func (s *appending) lose(round int, steps ...func() error) (acknowledged uint64) {
	s.t.Helper()
	next, over, ended := make(chan struct{}), make(chan struct{}), make(chan uint64, 1)
	some := 20 + 17*round%50
	go func() { // ends with the database, or once another one has taken its place
		head := s.at.Head
		for n := 0; ; n++ {
			select {
			case <-over:
				ended <- head
				return
			default:
			}
			a, err := s.core.Append(s.t.Context(), []core.Batch{{Session: id, Lease: s.at.Lease, Stretch: lines(head+1, 16)}})
			if err != nil || !a[0].Taken {
				ended <- head
				return
			}
			if head = a[0].At.Head; n%some == some-1 {
				select {
				case next <- struct{}{}:
				default: // a step is under way, or all are done
				}
			}
		}
	}()
	for _, step := range steps {
		select {
		case <-next:
		case head := <-ended:
			s.t.Fatalf("it has ended behind event %d, before it was to", head)
		}
		if err := step(); err != nil {
			s.t.Fatal(err)
		}
	}
	close(over)
	return <-ended
}

// judge says up to where the log goes that the database has, which must be whole, and the same lease's.
func (s *appending) judge() uint64 {
	t := s.t
	t.Helper()
	s.core = opened(t, s.server.URL("postgres"), postgres.Options{})
	t.Cleanup(s.core.Close)
	at, err := s.core.Positions(t.Context(), []string{id})
	if err != nil {
		t.Fatal(err)
	}
	if s.at.Head = at[0].Head; at[0].Lease != s.at.Lease {
		t.Fatalf("it is at %+v", at[0])
	}
	seen := uint64(0)
	for st, err := range s.core.Stretches(t.Context(), id, 0, s.at.Head) {
		if err != nil {
			t.Fatal(err)
		}
		if want := lines(st.First, 16); st.First != seen+1 || string(st.Lines) != string(want.Lines) {
			t.Fatalf("behind %d comes %+v", seen, st)
		}
		seen = st.Last()
	}
	if seen != s.at.Head {
		t.Fatalf("the log ends at %d, want %d", seen, s.at.Head)
	}
	return seen
}

// TestAnotherServerIsTold: a node whose server was started since its last beat, or that is heard by a replica in its place, is told so once, also where no call
// of it has failed in between: what it has seen may be gone.
//
// Proves: I16.4/goes-back
func TestAnotherServerIsTold(t *testing.T) {
	server := pgtest.Private(t)
	address := server.URL("postgres")
	if _, _, err := postgres.Migrate(t.Context(), address, postgres.Options{}); err != nil {
		t.Fatal(err)
	}
	c := open(t.Context(), t, address)
	beats := func(node string) func() error {
		life := must(c.Join(t.Context(), node))
		return func() error {
			_, err := c.Beat(t.Context(), life, core.Beat{Lease: time.Minute})
			return err
		}
	}
	one, other := beats("a"), beats("b")
	for range 2 {
		if err := errors.Join(one(), other()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(server.Crash(), server.Restart()); err != nil {
		t.Fatal(err)
	}
	for { // whose connections were lost
		if _, err := c.Nodes(t.Context(), false); err == nil {
			break
		}
	}
	for _, beat := range []func() error{one, other} {
		away := new(core.AwayError)
		if err := beat(); !errors.As(err, &away) || !strings.Contains(err.Error(), "started since") {
			t.Errorf("the first beat at a server that was started again: %v", err)
		}
		if err := beat(); err != nil {
			t.Errorf("the next one: %v", err)
		}
	}
}
