// Package storetest is the suite that every store.Carrier must pass. A store brings a Place: itself, and what can befall it.
package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Place is a store, with the accidents that befall places like it.
type Place struct {
	Store store.Carrier
	// Kill gives the place as the end of the process would leave it now. Writers of this one do not matter to it.
	Kill func() *Place
	// PowerLoss gives the place as a loss of power could leave it now; random chooses among what is possible, nil: everything is lost that
	// can be.
	PowerLoss func(random *rand.Rand) *Place
	// Break has writes and syncs fail with err from now on; nil: not any more.
	Break func(err error)
	// Damage changes the stored line of an event.
	Damage func(id string, seq uint64)
	// Open counts what the store holds of the system for its writers and readers; nil: it holds nothing.
	Open func() int
}

// Run holds a store against its rules. each makes an empty place.
func Run(t *testing.T, each func(t *testing.T) *Place) {
	for _, c := range []struct {
		name string
		run  func(s *suite)
	}{
		{"a new log is empty", empty},
		{"events are read as they were appended", order},
		{"ranges begin and end at any event", ranges},
		{"a wrong batch changes nothing", wrong},
		{"epochs grow", epochs},
		{"old events are given up", retention},
		{"spans name the batches of adapters", spans},
		{"a released writer goes on", released},
		{"a log is removed", removed},
		{"readers do not wait", concurrent},
		{"a log that was closed is as it was", closed},
		{"a log that was closed without a mark is whole", unclean},
		{"the end of the process takes nothing", killed},
		{"a loss of power takes what was not synced", powerless},
		{"a failed write is not there", failedWrite},
		{"a failed sync is told", failedSync},
		{"what was not published is forgotten", forgotten},
		{"damage is not served and not passed over", damaged},
		{"a log that is too short is damaged", tooShort},
		{"a read-only log takes nothing", readOnly},
		{"a log is opened from a place", fromPlace},
		{"a place that the log does not have is passed over", wrongPlace},
		{"what was forgotten is no place", forgottenPlace},
		{"damage before a place is not served", damagedBefore},
		{"stretches are batches with their sources", stretches},
		{"epochs are told with their first events", epochStarts},
		{"damage is in no stretch", damagedStretch},
		{"a log is looked at", lookedAt},
		{"a log is adopted", adopted},
		{"half an adoption is none", halfAdopted},
		{"a wrong stretch is not adopted", wrongStretches},
		{"a log is set aside", setAside},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			s := &suite{T: t, Place: each(t)}
			c.run(s)
			if s.Open != nil && s.Open() != 0 {
				t.Errorf("%d handles are left open", s.Open())
			}
		})
	}
}

// ID is the session whose log the suite writes.
const ID = "s1"

// suite is one check at work: what the log should hold stands in lines.
type suite struct {
	*testing.T
	*Place
	w     store.Writer
	lines [][]byte // without their newlines, from event 1 on
	ends  []uint64 // of each batch
	last  store.Source
}

func line(seq uint64) []byte {
	e := protocol.Event{Seq: seq, Time: 1700000000000 + int64(seq), Payload: &protocol.EntryDelta{
		EntryID: "entry-1", Delta: &protocol.TextAppend{Text: strings.Repeat("x", int(seq*7%90))},
	}}
	return protocol.Append(nil, &e)
}

// batch makes the next one, of n events.
func (s *suite) batch(n int) store.Batch {
	first := uint64(len(s.lines) + 1)
	b := store.Batch{First: first, Count: n, Time: 1700000000000 + int64(first), Source: store.Source{Incarnation: 1, Batch: uint64(len(s.ends) + 1)}}
	for i := range uint64(n) {
		b.Lines = append(append(b.Lines, line(first+i)...), '\n')
	}
	return b
}

// took notes that a batch is in the log.
func (s *suite) took(b store.Batch) {
	for l := range bytes.Lines(b.Lines) {
		s.lines = append(s.lines, bytes.Clone(l[:len(l)-1]))
	}
	s.ends = append(s.ends, uint64(len(s.lines)))
	if b.Source != (store.Source{}) {
		s.last = b.Source
	}
}

// lost notes that the log ends with an event.
func (s *suite) lost(newest uint64) {
	s.lines = s.lines[:newest]
	for len(s.ends) > 0 && s.ends[len(s.ends)-1] > newest {
		s.ends = s.ends[:len(s.ends)-1]
	}
	s.last.Batch = uint64(len(s.ends))
}

func (s *suite) newest() uint64 { return uint64(len(s.lines)) }

func (s *suite) create() {
	s.Helper()
	w, err := s.Store.Create(ID)
	s.must(err)
	s.w = w
}

// append writes batches of so many events.
func (s *suite) append(counts ...int) {
	s.Helper()
	for _, n := range counts {
		b := s.batch(n)
		s.must(s.w.Append(b))
		s.took(b)
	}
}

// open opens the log of a place, and says how many lines were visited.
func (s *suite) open(in *Place, how store.Opening) (rec store.Recovery, visited int, err error) {
	s.Helper()
	s.Place = in
	s.w, rec, err = in.Store.Open(ID, how, func(l []byte) error {
		if visited++; visited <= len(s.lines) && !bytes.Equal(l, s.lines[visited-1]) {
			s.Errorf("line %d was visited as %s", visited, l)
		}
		return nil
	})
	return rec, visited, err
}

// same opens the log of a place, which is to hold all lines.
func (s *suite) same(in *Place, how store.Opening) store.Recovery {
	s.Helper()
	rec, visited, err := s.open(in, how)
	s.must(err)
	if visited != len(s.lines) || rec.Newest != s.newest() {
		s.Fatalf("%d lines were visited, and the newest event is %d; want %d", visited, rec.Newest, s.newest())
	}
	if rec.Last != s.last {
		s.Errorf("the last source is %v, want %v", rec.Last, s.last)
	}
	s.reads(0, s.newest())
	return rec
}

// reads holds the events since < seq <= upTo against what they should be, in each way of reading.
func (s *suite) reads(since, upTo uint64) {
	s.Helper()
	var want []byte
	for _, l := range s.lines[since:upTo] {
		want = append(append(want, l...), '\n')
	}
	for name, read := range map[string]func(store.Range) ([]byte, error){
		"Read": func(r store.Range) ([]byte, error) { return io.ReadAll(r) },
		"Read of few bytes": func(r store.Range) ([]byte, error) {
			var out bytes.Buffer
			_, err := io.CopyBuffer(onlyWriter{&out}, onlyReader{r}, make([]byte, 7))
			return out.Bytes(), err
		},
		"WriteTo": func(r store.Range) ([]byte, error) {
			var out bytes.Buffer
			_, err := r.WriteTo(onlyWriter{&out})
			return out.Bytes(), err
		},
	} {
		r, err := s.w.Log().Range(since, upTo)
		s.must(err)
		if r.Size() != int64(len(want)) {
			s.Errorf("%d to %d: the size is %d, want %d", since, upTo, r.Size(), len(want))
		}
		s.must(r.Whole())
		got, err := read(r)
		s.must(errors.Join(err, r.Close(), r.Close()))
		if !bytes.Equal(got, want) {
			s.Fatalf("%s, %d to %d: %d bytes that are not the events, want %d bytes", name, since, upTo, len(got), len(want))
		}
	}
	lines, err := store.LinesOf(s.w.Log(), since, upTo)
	s.must(err)
	at := since
	for ; lines.Next(); at++ {
		if lines.Seq() != at+1 || !bytes.Equal(lines.Line(), s.lines[at]) {
			s.Fatalf("line %d is given as %d: %s", at+1, lines.Seq(), lines.Line())
		}
	}
	s.must(errors.Join(lines.Err(), lines.Close()))
	if at != upTo {
		s.Fatalf("lines end with event %d, want %d", at, upTo)
	}
}

// bounds wants a log from event 1 to newest.
func (s *suite) bounds(newest uint64) {
	s.Helper()
	if o, n := s.w.Log().Bounds(); o != 1 || n != newest {
		s.Errorf("the log goes from %d to %d, want 1 to %d", o, n, newest)
	}
}

func (s *suite) close() {
	s.Helper()
	s.must(s.w.Close())
}

func (s *suite) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// fails wants an error of a type.
func fails[E error](s *suite, err error) (e E) {
	s.Helper()
	if !errors.As(err, &e) {
		s.Fatalf("the error is %v (%T), want a %T", err, err, e)
	}
	return e
}

// onlyReader and onlyWriter hide what would let io.Copy take a shorter way.
type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)

var errDisk = fmt.Errorf("the disk refuses")
