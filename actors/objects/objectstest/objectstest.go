// Package objectstest is the suite that every objects.Store must pass. A store brings a Place: itself, empty.
package objectstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// Place is an empty object store, to which there are many ways.
type Place struct {
	// Way gives a way to the place; the suite closes it.
	Way func(t testing.TB) objects.Store
	// Long has races and lists be more.
	Long bool
}

// Run holds a store against its contract. each makes an empty place.
func Run(t *testing.T, each func(t testing.TB) *Place) {
	for _, c := range []struct {
		name string
		run  func(s *suite)
	}{
		{"an object is put, read and told of", put},
		{"a second put changes nothing", again},
		{"of many that put at once one does", race},
		{"other bytes than the digest are refused", wrongDigest},
		{"a writer that stops leaves nothing", torn},
		{"what cannot be a key is refused", wrongKeys},
		{"ranges begin and end anywhere", ranges},
		{"any bytes are kept", anyBytes},
		{"a large object is kept", large},
		{"what is not there is told of", missing},
		{"deletes are repeated", deletes},
		{"lists are in order", lists},
		{"a long list comes in pages", pages},
		{"a call ends with its context", contexts},
		{"a closed way says so", closed},
		{"anything in any order", walk},
		{"the questions of core check are answered", check},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			s := &suite{TB: t, Place: each(t), ctx: t.Context()}
			s.store = s.way()
			c.run(s)
		})
	}
}

// suite is one case, with its first way to the place.
type suite struct {
	testing.TB
	*Place
	ctx   context.Context
	store objects.Store
}

func (s *suite) way() objects.Store {
	s.Helper()
	way := s.Way(s)
	s.Cleanup(way.Close)
	return way
}

// session is the n-th session's id.
func session(n int) string { return fmt.Sprintf("0199a7a0-0000-7000-8000-%012x", n) }

// key is the one of an object of the n-th session that has these bytes.
func key(n int, b []byte) string { return objects.ImageKey(session(n), objects.Bytes(b).SHA256) }

// noise is bytes that do not repeat.
func noise(seed uint64, size int) []byte {
	b := make([]byte, size)
	r := rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), 1})
	_, _ = r.Read(b) // never fails
	return b
}

func (s *suite) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// put puts bytes and expects that they are new.
func (s *suite) put(key string, b []byte) {
	s.Helper()
	fresh, err := s.store.Put(s.ctx, key, objects.Bytes(b))
	if err != nil || !fresh {
		s.Fatalf("put %s: fresh is %v, %v", key, fresh, err)
	}
}

// get reads a range.
func (s *suite) get(key string, offset, length int64) []byte {
	s.Helper()
	r, err := s.store.Get(s.ctx, key, offset, length)
	s.must(err)
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		s.Fatalf("read %d bytes from %d on of %s: %v", length, offset, key, err)
	}
	return b
}

// has expects an object's bytes, and what is told of it.
func (s *suite) has(key string, want []byte) {
	s.Helper()
	if got := s.get(key, 0, objects.Whole); !bytes.Equal(got, want) {
		s.Fatalf("%s has %d bytes %.40q, want %d bytes %.40q", key, len(got), got, len(want), want)
	}
	info, err := s.store.Stat(s.ctx, key)
	s.must(err)
	if info.Key != key || info.Size != int64(len(want)) {
		s.Fatalf("of %s it is told %+v", key, info)
	}
}

// hasNot expects that there is no such object, and no trace of one.
func (s *suite) hasNot(key string) {
	s.Helper()
	_, err := s.store.Stat(s.ctx, key)
	fails[*objects.NotFoundError](s, err)
	for info, err := range s.store.List(s.ctx, key[:strings.LastIndex(key, "/")+1], "") {
		s.must(err)
		if info.Key == key {
			s.Fatalf("the list has %s, which is not there", key)
		}
	}
}

// keys lists.
func (s *suite) keys(prefix, after string) (keys []string) {
	s.Helper()
	for info, err := range s.store.List(s.ctx, prefix, after) {
		s.must(err)
		keys = append(keys, info.Key)
	}
	return keys
}

// fails expects an error of a type.
func fails[E error](s *suite, err error) (is E) {
	s.Helper()
	if !errors.As(err, &is) {
		s.Fatalf("the error is %v, want a %T", err, is)
	}
	return is
}
