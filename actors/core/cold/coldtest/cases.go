package coldtest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

func due(s *suite) {
	ask := func(full int64, rest time.Duration, most int) (list []core.Ready) {
		s.Helper()
		list, err := s.core.Due(s.ctx, core.Due{Full: full, Rest: rest, Most: most})
		s.must(err)
		return list
	}
	small, large, trimmed := s.take(1), s.take(2), made("", 1, 5, 2)
	s.take(3) // which has nothing
	s.append(&small, made("", 1, 1, 1))
	s.append(&large, made("", 1, 1, 20), made("", 1, 21, 20))
	owner, err := s.core.Join(s.ctx, "b")
	s.must(err)
	at, err := s.core.Take(s.ctx, owner, []core.Record{{Session: id(4), First: 5}})
	s.must(err)
	s.append(&at[0], trimmed)
	if got := ask(2000, time.Hour, 10); len(got) != 1 || got[0].Bytes < 2000 || got[0] != (core.Ready{Session: id(2), Head: 40, Bytes: got[0].Bytes}) {
		s.Errorf("full is %+v", got)
	}
	s.Turn(59 * time.Minute)
	if got := ask(1<<20, time.Hour, 10); len(got) != 0 {
		s.Errorf("before an hour %+v are due", got)
	}
	s.append(&small, made("", 1, 2, 1))
	s.Turn(2 * time.Minute)
	got := ask(1<<20, time.Hour, 10)
	if len(got) != 2 || got[0].Session != id(2) || !got[0].Rests || got[1].Session != id(4) || got[1].Since != 4 || got[1].Head != 6 {
		s.Errorf("at rest is %+v", got)
	}
	if got := ask(1, time.Hour, 1); len(got) != 1 || got[0].Session != id(2) {
		s.Errorf("the first one is %+v", got)
	}
	if r := s.pass(1 << 20); r.Segments != 3 || r.Sessions != 3 || r.Events != 44 {
		s.Errorf("the pass has done %+v", r)
	}
	if got := ask(1, time.Nanosecond, 10); len(got) != 0 {
		s.Errorf("behind a pass %+v are due", got)
	}
	s.append(&large, made("", 1, 41, 1))
	if got := ask(1, time.Hour, 10); len(got) != 1 || got[0].Since != 40 || got[0].Head != 41 || got[0].Bytes > 200 {
		s.Errorf("behind the cold end %+v", got)
	}
	s.reads(id(4), trimmed)
}

func intends(s *suite) {
	p := s.take(1)
	q := s.take(2)
	s.append(&p, made("", 1, 1, 1))
	intend := func(session, key string) bool {
		s.Helper()
		ok, err := s.core.Intend(s.ctx, session, key)
		s.must(err)
		return ok
	}
	isDue := func() bool {
		s.Helper()
		list, err := s.core.Due(s.ctx, core.Due{Full: 1, Rest: time.Hour, Most: 10})
		s.must(err)
		return len(list) > 0
	}
	if intend(id(9), "a") || intend("x", "a") {
		s.Error("an object of no session")
	}
	if !isDue() || !intend(p.Session, "a") || isDue() {
		s.Error("one that somebody is at")
	}
	if intend(p.Session, "b") || intend(q.Session, "a") || !intend(q.Session, "c") {
		s.Error("a second one")
	}
	s.Turn(core.Busy + time.Second)
	if !isDue() || intend(p.Session, "a") || !intend(p.Session, "b") {
		s.Error("behind a while")
	}
}

// segment makes one of all rows, whose object is intended.
func (s *suite) segment(session string) *core.Segment {
	s.Helper()
	list, err := s.core.Due(s.ctx, core.Due{Full: 1, Rest: time.Hour, Most: 100})
	s.must(err)
	i := slices.IndexFunc(list, func(r core.Ready) bool { return r.Session == session })
	if i < 0 {
		s.Fatalf("%s is not due", session)
	}
	g := &core.Segment{Session: session, First: list[i].Since + 1, Last: list[i].Head}
	for p, err := range s.core.Pieces(s.ctx, session, list[i].Since, list[i].Head) {
		s.must(err)
		r := core.Row{Stretch: p.Stretch, Bytes: int64(len(p.Lines)), Lease: p.Lease}
		r.Lines = nil
		g.Rows = append(g.Rows, r)
		g.Line = core.Part(p.Stretch, g.Last-1, g.Last).Lines
	}
	g.Object = core.Object{
		Key: objects.Attempt(objects.LogKey(session, g.First, g.Last, objects.Digest{})), First: g.First, Last: g.Last, Size: 10,
		Frames: []core.Frame{{First: g.First}},
	}
	ok, err := s.core.Intend(s.ctx, session, g.Object.Key)
	s.must(err)
	if !ok {
		s.Fatal("somebody else is at it")
	}
	return g
}

func (s *suite) compact(g *core.Segment) bool {
	s.Helper()
	taken, err := s.core.Compact(s.ctx, g)
	s.must(err)
	return taken
}

func compacted(s *suite) {
	p := s.take(1)
	all := []store.Stretch{made("", 1, 1, 3, 1), made("", 1, 5, 2), made("", 7, 7, 1), made("", 7, 8, 200)}
	s.append(&p, all[:3]...)
	if r := s.pass(1 << 20); r.Segments != 1 || r.Events != 7 || r.Lines == 0 || r.Bytes == 0 || len(s.keys()) != 1 {
		s.Errorf("the pass has done %+v", r)
	}
	s.append(&p, all[3])
	s.reads(id(1), all...)
	if r := s.pass(1); r.Segments != 1 || len(s.keys()) != 2 {
		s.Errorf("the pass has done %+v", r)
	}
	s.reads(id(1), all...)
	var lines []byte
	for _, st := range all {
		lines = append(lines, st.Lines...)
	}
	s.sums(id(1), lines)
	if r := s.pass(1); r != s.pass(1) || r.Segments != 0 {
		s.Errorf("without anything to do, the pass has done %+v", r)
	}
}

// sums expects each part of a log that begins with event 1, its bytes and their number.
func (s *suite) sums(session string, lines []byte) {
	s.Helper()
	ends := []int{0}
	for line := range bytes.Lines(lines) {
		ends = append(ends, ends[len(ends)-1]+len(line))
	}
	for since := 0; since < len(ends); since += 1 + since/10 {
		for upTo := since; upTo < len(ends); upTo += 1 + (upTo-since)/3 {
			n, err := s.joined.Bytes(s.ctx, session, uint64(since), uint64(upTo))
			s.must(err)
			var got []byte
			for st, err := range s.joined.Stretches(s.ctx, session, uint64(since), uint64(upTo)) {
				s.must(err)
				got = append(got, st.Lines...)
			}
			if want := lines[ends[since]:ends[upTo]]; n != int64(len(want)) || !bytes.Equal(got, want) {
				s.Fatalf("events %d to %d: %d bytes, counted as %d, want %d", since+1, upTo, len(got), n, len(want))
			}
		}
	}
}

// again: of a segment that is there, or was and is put aside now, a second call says so. Who is told that it is not taken deletes the object.
func again(s *suite) {
	p := s.take(1)
	a, b := made("", 1, 1, 3), made("", 1, 4, 3)
	s.append(&p, a)
	front := s.segment(id(1))
	for range 2 { // as where no answer came
		if !s.compact(front) {
			s.Fatal("it is not taken")
		}
	}
	s.append(&p, b)
	back := s.segment(id(1))
	if !s.compact(back) {
		s.Fatal("it is not taken")
	}
	s.rewind(&p, 2, 2)
	for name, g := range map[string]*core.Segment{"a cut goes through it": front, "it is put aside": back} {
		if !s.compact(g) {
			s.Errorf("%s, and its object may be deleted", name)
		}
	}
	s.Turn(core.Forsaken + time.Minute)
	if keys, err := s.core.Garbage(s.ctx, 10); err != nil || len(keys) > 0 {
		s.Errorf("given up is %v, %v", keys, err)
	}
}

func notTaken(s *suite) {
	p := s.take(1)
	all := []store.Stretch{made("", 1, 1, 3), made("", 1, 4, 3)}
	s.append(&p, all...)
	for name, change := range map[string]func(g *core.Segment){
		"not intended":    func(g *core.Segment) { g.Object.Key += "x" },
		"another session": func(g *core.Segment) { g.Session = id(2) },
		"another one's key": func(g *core.Segment) {
			s.take(2)
			g.Object.Key = objects.Attempt(objects.LogKey(id(2), 1, 6, objects.Digest{}))
			ok, err := s.core.Intend(s.ctx, id(2), g.Object.Key)
			if s.must(err); !ok {
				s.Fatal("somebody else is at it")
			}
		},
		"no session":        func(g *core.Segment) { g.Session = "x" },
		"another lease":     func(g *core.Segment) { g.Rows[1].Lease = core.Lease(id(7)) },
		"no lease":          func(g *core.Segment) { g.Rows[1].Lease = "" },
		"another epoch":     func(g *core.Segment) { g.Rows[1].Epoch++ },
		"not the beginning": func(g *core.Segment) { front(g, 1) },
		"one row of two": func(g *core.Segment) {
			g.Rows = []core.Row{g.Rows[0]}
			g.Rows[0].Sources = []store.Made{{Count: 6}}
		},
	} {
		g := s.segment(id(1))
		bad := *g
		bad.Rows = slices.Clone(g.Rows)
		if change(&bad); s.compact(&bad) {
			s.Fatalf("%s is taken", name)
		}
		s.Turn(core.Busy + time.Second)
	}
	for name, change := range map[string]func(g *core.Segment){
		"no rows":          func(g *core.Segment) { g.Rows = nil },
		"no key":           func(g *core.Segment) { g.Object.Key = "" },
		"no last line":     func(g *core.Segment) { g.Line = nil },
		"two last lines":   func(g *core.Segment) { g.Line = []byte("a\nb\n") },
		"no frames":        func(g *core.Segment) { g.Object.Frames = nil },
		"a part":           func(g *core.Segment) { g.Last-- },
		"a gap":            func(g *core.Segment) { g.Rows[1].First++ },
		"an event too few": func(g *core.Segment) { g.Last, g.Object.Last = g.Last+1, g.Object.Last+1 },
	} {
		g := s.segment(id(1))
		g.Rows = slices.Clone(g.Rows)
		change(g)
		var refused *core.RefusedError
		if taken, err := s.core.Compact(s.ctx, g); taken || !errors.As(err, &refused) {
			s.Fatalf("%s: %v, %v", name, taken, err)
		}
		s.Turn(core.Busy + time.Second)
	}
	g := s.segment(id(1))
	s.rewind(&p, 2, 5) // what it was made of is another log's
	if s.compact(g) {
		s.Fatal("a segment of rows that were put aside is taken")
	}
	ok, err := s.core.Intend(s.ctx, id(1), g.Object.Key)
	s.must(err)
	if ok {
		s.Error("a key that was given up comes again")
	}
	g = s.segment(id(1)) // what is given up is nobody's work
	s.append(&p, made("", 2, 5, 1))
	for range 2 { // the first is a call of which no answer came
		if !s.compact(g) {
			s.Error("a segment is not taken while its session goes on")
		}
	}
	if s.compact(&core.Segment{Session: g.Session, First: g.First, Last: g.Last, Object: core.Object{
		Key: "other", First: g.First, Last: g.Last, Size: 1, Frames: g.Object.Frames,
	}, Rows: g.Rows, Line: g.Line}) {
		s.Error("another one is taken in its place")
	}
}

// front leaves out the first rows.
func front(g *core.Segment, n int) {
	g.Rows = g.Rows[n:]
	g.First, g.Object.First = g.Rows[0].First, g.Rows[0].First
	g.Object.Frames = []core.Frame{{First: g.First}}
}

func cut(s *suite) {
	p := s.take(1)
	a, b, c, d := made("a", 1, 1, 4, 4), made("a", 1, 9, 3), made("a", 2, 12, 2), made("a", 2, 14, 1)
	s.append(&p, a, b)
	s.pass(1 << 20)
	s.append(&p, c)
	s.pass(1 << 20)
	s.append(&p, d)
	before := s.keys()
	s.rewind(&p, 3, 6) // through a row of the first segment; the second, and a row, are behind it
	s.reads(id(1), core.Part(a, 0, 5))
	s.aside(id(1), core.Part(a, 5, 8), b, c, d)
	s.sums(id(1), core.Part(a, 0, 5).Lines)
	e := made("b", 3, 6, 5)
	s.append(&p, e)
	s.reads(id(1), core.Part(a, 0, 5), e)
	if r := s.pass(1 << 20); r.Segments != 1 || r.Events != 5 {
		s.Errorf("behind the cut the pass has done %+v", r)
	}
	s.reads(id(1), core.Part(a, 0, 5), e)
	s.sums(id(1), append(core.Part(a, 0, 5).Lines, e.Lines...))
	s.rewind(&p, 4, 4) // through the same segment again
	s.reads(id(1), core.Part(a, 0, 3))
	s.aside(id(1), core.Part(a, 5, 8), b, c, d, core.Part(a, 3, 5), e)
	s.rewind(&p, 5, 1)
	s.reads(id(1))
	s.aside(id(1), core.Part(a, 5, 8), b, c, d, core.Part(a, 3, 5), e, core.Part(a, 0, 3))
	f := made("c", 5, 1, 8)
	s.append(&p, f)
	s.pass(1)
	s.reads(id(1), f)
	if now := s.keys(); len(before) != 2 || len(now) != 4 || !slices.Equal(now, s.named(id(1))) {
		s.Errorf("the objects are %v", now)
	}
}

// aside expects what was put aside.
func (s *suite) aside(session string, want ...store.Stretch) {
	s.Helper()
	var got []store.Stretch
	for st, err := range s.joined.Superseded(s.ctx, session) {
		s.must(err)
		got = append(got, st)
	}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		s.Errorf("put aside is %+v, want %+v", got, want)
	}
}
