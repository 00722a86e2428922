package coretest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

func copies(s *suite) {
	me := s.join("a")
	r := record(id(1))
	at, err := s.core.Take(s.ctx, me, []core.Record{r})
	s.must(err)
	r.Told[0], r.Labels["team"] = 'x', "x"
	p := at[0]
	st := made("", 1, 1, 2)
	s.append(&p, st)
	st.Lines[0], st.Sources[0].Count = 'x', 9
	for range 2 {
		_, got, _, err := s.core.Session(s.ctx, id(1))
		s.must(err)
		if got.Told[0] != '{' || got.Labels["team"] != "blue" {
			s.Errorf("the record is %+v", got)
		}
		got.Told[0], got.Labels["team"] = 'y', "y"
		for st, err := range s.core.Stretches(s.ctx, id(1), 0, 2) {
			s.must(err)
			if !bytes.Equal(st.Lines, made("", 1, 1, 2).Lines) || st.Sources[0].Count != 2 {
				s.Errorf("the log is %+v", st)
			}
			st.Lines[0], st.Sources[0].Count = 'y', 8
		}
	}
}

func ranges(s *suite) {
	r := record(id(1))
	r.First = 4
	at, err := s.core.Take(s.ctx, s.join("a"), []core.Record{r})
	s.must(err)
	p := at[0]
	var all []byte
	whole := map[uint64]int{3: 0} // event: where its line ends
	for _, counts := range [][]int{{1}, {2, 1}, {4}, {1, 1, 1}} {
		st := made("", 1, p.Head+1, counts...)
		s.append(&p, st)
		for _, line := range bytes.SplitAfter(st.Lines, []byte{'\n'}) {
			if len(line) > 0 {
				all = append(all, line...)
				whole[uint64(len(whole))+3] = len(all)
			}
		}
	}
	for since := uint64(0); since <= p.Head+1; since++ {
		for upTo := uint64(0); upTo <= p.Head+2; upTo++ {
			lines, _, err := read(s.core.Stretches(s.ctx, id(1), since, upTo))
			n, counted := s.core.Bytes(s.ctx, id(1), since, upTo)
			if fmt.Sprint(counted) != fmt.Sprint(err) || reflect.TypeOf(counted) != reflect.TypeOf(err) || n != int64(len(lines)) {
				s.Fatalf("%d to %d: counted %d bytes, %v; read %d, %v", since, upTo, n, counted, len(lines), err)
			}
			switch {
			case since > upTo, upTo > p.Head:
				if beyond := fails[*store.BeyondError](s, err); beyond.Newest != p.Head || len(lines) > 0 {
					s.Fatalf("%d to %d: %v", since, upTo, err)
				}
			case since < 3 && since < upTo:
				if gone := fails[*store.GoneError](s, err); gone.Oldest != 4 || len(lines) > 0 {
					s.Fatalf("%d to %d: %v", since, upTo, err)
				}
			default:
				s.must(err)
				if want := all[whole[max(since, 3)]:whole[max(upTo, 3)]]; !bytes.Equal(lines, want) {
					s.Fatalf("%d to %d: %s", since, upTo, lines)
				}
			}
		}
	}
	for _, far := range []uint64{1 << 62, math.MaxInt64, math.MaxUint64} {
		_, _, err := read(s.core.Stretches(s.ctx, id(1), 3, far))
		fails[*store.BeyondError](s, err)
		_, err = s.core.Bytes(s.ctx, id(1), 3, far)
		fails[*store.BeyondError](s, err)
		_, _, err = read(s.core.Stretches(s.ctx, id(1), far, far))
		fails[*store.BeyondError](s, err)
		_, err = s.core.Bytes(s.ctx, id(1), far, far)
		fails[*store.BeyondError](s, err)
	}
	_, _, err = read(s.core.Stretches(s.ctx, id(9), 0, 1))
	fails[*store.BeyondError](s, err)
	_, err = s.core.Bytes(s.ctx, id(9), 0, 1)
	fails[*store.BeyondError](s, err)
}

const rowLines = 200

// fill appends rows of rowLines, of the given size in all at least.
func (s *suite) fill(p *core.Position, size int) (lines []byte) {
	s.Helper()
	for len(lines) < size {
		st := made(strconv.FormatUint(p.Head, 10), p.Epoch, p.Head+1, rowLines)
		s.append(p, st)
		lines = append(lines, st.Lines...)
	}
	return lines
}

func large(s *suite) {
	p := s.take(s.join("a"), id(1))[0]
	want := s.fill(&p, 2<<20)
	st := store.Stretch{First: p.Head + 1, Epoch: 1, Sources: []store.Made{{Count: 1}}, Lines: append(bytes.Repeat([]byte("x"), 3<<20), '\n')}
	s.append(&p, st)
	want = append(want, st.Lines...)
	want = append(want, s.fill(&p, 1<<10)...)
	if n, err := s.core.Bytes(s.ctx, id(1), 0, p.Head); err != nil || n != int64(len(want)) {
		s.Errorf("%d bytes are counted as %d, %v", len(want), n, err)
	}
	got, rows, err := read(s.core.Stretches(s.ctx, id(1), 0, p.Head))
	s.must(err)
	if !bytes.Equal(got, want) || rows[0].First != 1 {
		s.Errorf("%d bytes come back as %d, or as others", len(want), len(got))
	}
	for _, err := range s.core.Stretches(s.ctx, id(1), 0, p.Head) {
		s.must(err)
		break
	}
}

// overtaken: what a reading gives is of one log, also where that is cut while it is read.
func overtaken(s *suite) {
	p := s.take(s.join("a"), id(1))[0]
	for _, back := range []uint64{10, 30_000} { // events that the cut takes: behind what is read when it comes, and before
		old := s.fill(&p, 3<<20)
		until, epoch := p.Head, p.Epoch+1
		var got []byte
		var ended error
		for st, err := range s.core.Stretches(s.ctx, id(1), until-uint64(bytes.Count(old, []byte{'\n'})), until) {
			if err != nil {
				ended = err
				break
			}
			if len(got) == 0 {
				s.rewind(&p, epoch, p.Head-min(back, p.Head-1))
				for p.Head < until {
					s.append(&p, made("another", epoch, p.Head+1, rowLines))
				}
			}
			got = append(got, st.Lines...)
		}
		if !bytes.HasPrefix(old, got) {
			s.Error("what was read is not of the log as it was")
		}
		if ended == nil && len(got) == len(old) {
			continue // it has seen the log as it was to its end
		}
		if beyond := fails[*store.BeyondError](s, ended); beyond.Newest >= until {
			s.Errorf("the reading ended with %v", beyond)
		}
	}
}

func superseded(s *suite) {
	p := s.take(s.join("a"), id(1))[0]
	var want []byte
	for epoch := uint64(2); epoch < 5; epoch++ {
		want = append(want, s.fill(&p, 1<<20)...)
		s.rewind(&p, epoch, 1)
	}
	var got []byte
	for st, err := range s.core.Superseded(s.ctx, id(1)) {
		s.must(err)
		got = append(got, st.Lines...)
	}
	if !bytes.Equal(got, want) {
		s.Errorf("%d bytes come back as %d, or as others", len(want), len(got))
	}
	for _, err := range s.core.Superseded(s.ctx, id(1)) {
		s.must(err)
		break
	}
}

// calls are all methods that ask the place.
func calls(c core.Core, p core.Position) map[string]func(ctx context.Context) error {
	return map[string]func(ctx context.Context) error{
		"join": func(ctx context.Context) error { _, err := c.Join(ctx, "a"); return err },
		"take": func(ctx context.Context) error {
			_, err := c.Take(ctx, p.Owner, []core.Record{record(p.Session)})
			return err
		},
		"positions": func(ctx context.Context) error { _, err := c.Positions(ctx, []string{p.Session}); return err },
		"held": func(ctx context.Context) (err error) {
			for _, err = range c.Held(ctx, "a") {
			}
			return err
		},
		"remove": func(ctx context.Context) error { _, err := c.Remove(ctx, p.Session, "x"); return err },
		"append": func(ctx context.Context) error {
			_, err := c.Append(ctx, []core.Batch{{Session: p.Session, Lease: p.Lease, Stretch: made("", 1, p.Head+1, 1)}})
			return err
		},
		"rewind": func(ctx context.Context) error {
			_, err := c.Rewind(ctx, core.Cut{Session: p.Session, Epoch: 9, First: 1})
			return err
		},
		"note": func(ctx context.Context) error {
			return c.Note(ctx, []core.Note{{Lease: p.Lease, Record: record(p.Session)}})
		},
		"session": func(ctx context.Context) error { _, _, _, err := c.Session(ctx, p.Session); return err },
		"epochs":  func(ctx context.Context) error { _, err := c.Epochs(ctx, p.Session); return err },
		"stretches": func(ctx context.Context) error {
			_, _, err := read(c.Stretches(ctx, p.Session, 0, p.Head))
			return err
		},
		"beat":    func(ctx context.Context) error { _, err := c.Beat(ctx, p.Owner, beat); return err },
		"nodes":   func(ctx context.Context) error { _, err := c.Nodes(ctx, false); return err },
		"declare": func(ctx context.Context) error { _, err := c.Declare(ctx, p.Owner); return err },
		"drain":   func(ctx context.Context) error { _, err := c.Drain(ctx, p.Owner); return err },
		"leave":   func(ctx context.Context) error { _, err := c.Leave(ctx, p.Owner); return err },
		"forget":  func(ctx context.Context) error { _, err := c.Forget(ctx, "z"); return err },
		"claim": func(ctx context.Context) error {
			_, err := c.Claim(ctx, p.Owner, core.Want{Sessions: []string{p.Session}})
			return err
		},
		"release": func(ctx context.Context) error {
			_, err := c.Release(ctx, p.Owner, []core.Handed{{Session: p.Session}})
			return err
		},
		"superseded": func(ctx context.Context) error { _, _, err := read(c.Superseded(ctx, p.Session)); return err },
	}
}

func contexts(s *suite) {
	p := s.take(s.join("a"), id(1))[0]
	s.append(&p, made("", 1, 1, 2))
	ended, cancel := context.WithCancel(s.ctx)
	cancel()
	for range 20 { // a connection that is not given back would be missed
		for name, call := range calls(s.core, p) {
			err := call(ended)
			if away := fails[*core.AwayError](s, err); away.Op != name || !errors.Is(err, context.Canceled) {
				s.Errorf("%s ends with %v", name, err)
			}
		}
	}
	s.at(p)
}

func closed(s *suite) {
	c := s.way()
	p := s.take(s.join("a"), id(1))[0]
	s.append(&p, made("", 1, 1, 2))
	for name, call := range calls(c, p) {
		if err := call(s.ctx); err != nil {
			s.Errorf("%s: %v", name, err)
		}
	}
	c.Close()
	c.Close()
	for name, call := range calls(c, p) {
		if away := fails[*core.AwayError](s, call(s.ctx)); away.Op != name {
			s.Errorf("%s ends with %v", name, away)
		}
	}
}
