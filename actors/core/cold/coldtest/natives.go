package coldtest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/segment"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// native is a segment of lines that name their node and number, and its object.
func (s *suite) native(session, node string, first, last uint64) (*core.NativeSegment, []byte) {
	s.Helper()
	var body bytes.Buffer
	w := segment.NewWriter(&body, first)
	_, err := w.Write(nativeLines(node, first, last))
	s.must(err)
	x, err := w.Close()
	s.must(err)
	g := &core.NativeSegment{Session: session, Node: node, Epoch: 7, Lines: x.Raw, Longest: x.Raw}
	g.Object = core.Object{Key: objects.Attempt(x.RawKey(session, node)), First: x.First, Last: x.Last, Size: x.Size, SHA256: x.SHA256}
	for _, f := range x.Frames {
		g.Object.Frames = append(g.Object.Frames, core.Frame(f))
	}
	return g, body.Bytes()
}

func nativeLines(node string, first, last uint64) (lines []byte) {
	for n := first; n <= last; n++ {
		lines = fmt.Appendf(lines, `{"t_ms":1,"dir":"out","incarnation":1,"data":{"%s":%d}}`+"\n", node, n)
	}
	return lines
}

func (s *suite) archives(session, node string, first, last uint64) bool {
	s.Helper()
	g, body := s.native(session, node, first, last)
	ok, err := cold.PutNative(s.ctx, s.core, s.store, g, body)
	s.must(err)
	return ok
}

func (s *suite) archivedUpTo(node string, sessions ...string) []uint64 {
	s.Helper()
	list, err := s.core.ArchivedUpTo(s.ctx, node, sessions)
	s.must(err)
	return list
}

func natives(s *suite) {
	p := s.take(1)
	one := p.Session
	reader := s.joined.(cold.Natives) //nolint:forcetypeassert // Join says so
	if s.archives(id(9), "a", 1, 3) || !s.archives(one, "a", 1, 3) || !s.archives(one, "b", 1000, 1002) || !s.archives(one, "a", 7, 9) {
		s.Errorf("the objects are %v", s.keys())
	}
	for _, again := range [][2]uint64{{1, 3}, {3, 12}, {9, 10}, {4, 6}} { // a node goes on, and does not come back
		if s.archives(one, "a", again[0], again[1]) {
			s.Errorf("lines %v are taken once more", again)
		}
	}
	if n := len(s.keys()); n != 3 {
		s.Errorf("%d objects are left: %v", n, s.keys())
	}
	if got := s.archivedUpTo("a", id(2), one, "no id"); !slices.Equal(got, []uint64{0, 9, 0}) || s.archivedUpTo("b", one)[0] != 1002 {
		s.Errorf("they have lines up to %v", got)
	}
	list, err := s.core.Archived(s.ctx, one)
	s.must(err)
	var told string
	for i := range list {
		g := &list[i]
		told += fmt.Sprintf("%s %d-%d %d;", g.Node, g.Object.First, g.Object.Last, g.Epoch)
		var got []byte
		for run, err := range reader.NativeLines(s.ctx, g, g.Object.First, g.Object.Last+5) {
			s.must(err)
			got = append(got, run.Lines...)
		}
		if want := nativeLines(g.Node, g.Object.First+1, g.Object.Last); !bytes.Equal(got, want) {
			s.Errorf("of %s come\n%s", g.Object.Key, got)
		}
	}
	if told != "a 1-3 7;a 7-9 7;b 1000-1002 7;" {
		s.Errorf("there is %s", told)
	}
	if taken, err := s.core.Archive(s.ctx, &list[0]); !taken || err != nil { // a call of which no answer came
		s.Errorf("it is there: %v, %v", taken, err)
	}
	other, _ := s.native(one, "c", 1, 2)
	if taken, err := s.core.Archive(s.ctx, other); taken || err != nil {
		s.Errorf("one that was not intended: %v, %v", taken, err)
	}
	var refused *core.RefusedError
	if _, err := s.core.Archive(s.ctx, &core.NativeSegment{Session: one, Node: "a"}); !errors.As(err, &refused) {
		s.Errorf("what is none: %v", err)
	}
	strays, err := s.core.Strays(s.ctx, s.keys())
	s.must(err)
	if len(strays) != 0 {
		s.Errorf("strays are %v", strays)
	}
	s.Turn(core.Forsaken + core.Busy)
	if n := s.sweep(); n != 0 || len(s.keys()) != 3 {
		s.Errorf("%d objects that are named went; these are left: %v", n, s.keys())
	}
	s.must(s.store.Delete(s.ctx, list[1].Object.Key))
	var damaged *store.DamageError
	for _, err := range reader.NativeLines(s.ctx, &list[1], 0, 100) {
		if !errors.As(err, &damaged) {
			s.Errorf("one whose object is gone: %v", err)
		}
	}
	s.append(&p, made("", 1, 1, 1))
	gone, err := s.core.Remove(s.ctx, one, p.Lease)
	s.must(err)
	if list, err := s.core.Archived(s.ctx, one); !gone || err != nil || len(list) != 0 || s.archivedUpTo("a", one)[0] != 0 {
		s.Errorf("a removed session has %v, %v", list, err)
	}
	s.Turn(core.Forsaken + core.Busy)
	if n := s.sweep(); n != 3 || len(s.keys()) != 0 {
		s.Errorf("%d objects went, and these are left: %v", n, s.keys())
	}
}

// numbers: whoever takes a session in has numbers for its lines that nobody else has.
func numbers(s *suite) {
	p := s.take(1)
	number := func(session string, want uint64) {
		s.Helper()
		if got, err := s.core.Number(s.ctx, session, 100); err != nil || got != want {
			s.Errorf("the number is %d, %v; want %d", got, err, want)
		}
	}
	number(id(2), 0)
	number("no id", 0)
	number(p.Session, 101)
	number(p.Session, 201)
	if !s.archives(p.Session, "a", 1, 500) {
		s.Error("it is not taken")
	}
	number(p.Session, 601)
	number(p.Session, 701)
}
