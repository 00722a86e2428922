package conformance

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
)

func (s *Suite) again(t *testing.T, records []recording.Record) {
	a, b := s.play(t, records), s.play(t, records)
	if len(a) != len(b) {
		t.Fatalf("%d incarnations, then %d", len(a), len(b))
	}
	for i := range a {
		for j := range a[i].Drafts {
			if j >= len(b[i].Drafts) || Describe(a[i].Drafts[j]) != Describe(b[i].Drafts[j]) {
				t.Fatalf("%s, draft %d: the second time it is not %s", a[i].place(), j+1, Describe(a[i].Drafts[j]))
			}
		}
		if len(a[i].Drafts) != len(b[i].Drafts) {
			t.Fatalf("%s: %d drafts, then %d", a[i].place(), len(a[i].Drafts), len(b[i].Drafts))
		}
	}
}

// limit cuts every text short, where the recording has one that is longer: nothing that goes into the log is over the limit of the daemon.
func (s *Suite) limit(t *testing.T, records []recording.Record) {
	const short = 24
	player := s.player()
	player.MaxText = short
	check(t, s.playTo(t, player, records), Ledger{Interleaves: s.Interleaves != "", MaxText: short})
}

// cuts lets the agent die after each line.
func (s *Suite) cuts(t *testing.T, records []recording.Record) {
	for i, r := range records {
		if _, ok := r.Step.(recording.Exit); ok || testing.Short() && i%7 != 0 {
			continue
		}
		part := append(slices.Clone(records[:i+1]), ends(records[:i+1])...)
		rules(t, s.play(t, part))
	}
}

// ends kills the connections that are open after some records.
func ends(records []recording.Record) []recording.Record {
	open := map[string]bool{}
	for _, r := range records {
		switch r.Step.(type) {
		case recording.Start:
			open[r.Conn] = true
		case recording.Exit:
			open[r.Conn] = false
		default:
		}
	}
	var list []recording.Record
	for conn, is := range open {
		if is {
			list = append(list, recording.Record{Conn: conn, Step: recording.Exit{Exit: adapters.Exit{Code: -1, Signal: "killed"}}})
		}
	}
	return list
}

// damage loses and doubles lines.
func (s *Suite) damage(t *testing.T, records []recording.Record) {
	for seed := range uint64(damageRuns) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var list []recording.Record
		for _, r := range records {
			times := 1
			switch r.Step.(type) {
			case recording.Out, recording.In:
				switch rnd.IntN(10) {
				case 0:
					times = 0
				case 1:
					times = 2
				}
			default:
			}
			for range times {
				list = append(list, r)
			}
		}
		check(t, s.play(t, list), Ledger{Interleaves: s.Interleaves != ""})
	}
}

// strangers puts a line of an unknown type behind each line of the agent.
func (s *Suite) strangers(t *testing.T, records []recording.Record) {
	stranger := s.StrangerOf
	if stranger == nil {
		if len(s.Stranger) == 0 {
			t.Skip("the suite names no stranger")
		}
		stranger = func([]byte) []byte { return s.Stranger }
	}
	var list []recording.Record
	sent := 0
	for _, r := range records {
		list = append(list, r)
		if out, ok := r.Step.(recording.Out); ok {
			if line := stranger(out.Line); line != nil {
				sent++
				list = append(list, recording.Record{At: r.At, Line: r.Line, Conn: r.Conn, Step: recording.Out{Line: line, Src: out.Src}})
			}
		}
	}
	said := s.play(t, list)
	rules(t, said)
	if got := natives(said) - natives(s.play(t, records)); got != sent {
		t.Errorf("%d strangers became %d natives", sent, got)
	}
}

func natives(said []Said) int {
	n := 0
	for i := range said {
		for _, d := range said[i].Drafts {
			if _, ok := d.(adapters.Native); ok {
				n++
			}
		}
	}
	return n
}
