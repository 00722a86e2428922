package coldtest

import (
	"crypto/sha256"
	"errors"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

func pictures(s *suite) {
	p := s.take(1)
	reader := s.joined.(cold.Pictures) //nolint:forcetypeassert // Join says so
	one, two := []byte("\x89PNG one"), []byte("\x89PNG two")
	put := func(session string, data []byte) bool {
		s.Helper()
		ok, err := cold.PutPicture(s.ctx, s.core, s.store, session, data)
		s.must(err)
		return ok
	}
	read := func(session string, data []byte) (got []byte, ok bool) {
		s.Helper()
		got, ok, err := reader.Picture(s.ctx, session, sha256.Sum256(data))
		s.must(err)
		return got, ok
	}
	if put(id(9), one) || !put(p.Session, one) || !put(p.Session, two) || put(p.Session, one) || len(s.keys()) != 2 {
		s.Errorf("the objects are %v", s.keys())
	}
	for _, data := range [][]byte{one, two} {
		if got, ok := read(p.Session, data); !ok || !slices.Equal(got, data) {
			s.Errorf("%q is read as %q, %v", data, got, ok)
		}
	}
	if _, ok := read(p.Session, nil); ok {
		s.Error("one that nobody put is read")
	}
	if _, ok := read(id(2), one); ok {
		s.Error("one of another session is read")
	}
	list, err := s.core.Pictures(s.ctx, p.Session)
	s.must(err)
	again := list[0]
	if taken, err := s.core.Depict(s.ctx, again); !taken || err != nil { // a call of which no answer came
		s.Errorf("it is there: %v, %v", taken, err)
	}
	again.Key = objects.Attempt(again.Key[:len(again.Key)-17])
	if taken, err := s.core.Depict(s.ctx, again); taken || err != nil {
		s.Errorf("one that was not intended: %v, %v", taken, err)
	}
	strays, err := s.core.Strays(s.ctx, s.keys())
	s.must(err)
	if len(strays) != 0 {
		s.Errorf("strays are %v", strays)
	}
	s.must(s.store.Delete(s.ctx, list[1].Key))
	var damaged *store.DamageError
	if _, _, err := reader.Picture(s.ctx, p.Session, list[1].Digest); !errors.As(err, &damaged) {
		s.Errorf("one whose object is gone: %v", err)
	}
	s.put(list[1].Key, "another")
	if _, _, err := reader.Picture(s.ctx, p.Session, list[1].Digest); !errors.As(err, &damaged) {
		s.Errorf("one whose object is another: %v", err)
	}
	s.append(&p, made("", 1, 1, 1))
	s.pass(1)
	gone, err := s.core.Remove(s.ctx, p.Session, p.Lease)
	s.must(err)
	if _, ok := read(p.Session, one); ok || !gone {
		s.Error("one of a removed session is read")
	}
	s.Turn(core.Forsaken + core.Busy)
	if n := s.sweep(); n != 3 || len(s.keys()) != 0 {
		s.Errorf("%d objects went, and these are left: %v", n, s.keys())
	}
}
