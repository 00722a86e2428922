package objectstest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

func put(s *suite) {
	a, b := noise(1, 5000), noise(2, 1)
	digest := objects.Bytes(a).SHA256
	for _, k := range []string{
		objects.LogKey(session(1), 1, 64, digest), objects.RawKey(session(1), "9f2c-A_b.c", 1, 1<<53-1, digest), objects.ImageKey(session(1), digest),
	} {
		s.put(k, a)
		s.has(k, a)
	}
	s.put(key(2, b), b)
	s.has(key(2, b), b)
	other := s.way()
	s.store = other
	s.has(key(2, b), b)
	s.put(key(2, nil), nil)
	s.has(key(2, nil), nil)
}

func again(s *suite) {
	k := key(1, []byte("x"))
	s.put(k, []byte("first"))
	for _, b := range []string{"first", "second", ""} {
		fresh, err := s.way().Put(s.ctx, k, objects.Bytes([]byte(b)))
		if fresh || err != nil {
			s.Fatalf("put again: fresh is %v, %v", fresh, err)
		}
		s.has(k, []byte("first"))
	}
}

// race has 16 put different bytes to one key.
func race(s *suite) {
	const many = 16
	rounds := 6
	if s.Long {
		rounds = 50
	}
	var ways []objects.Store
	for range 4 {
		ways = append(ways, s.way())
	}
	for round := range rounds {
		k := key(round, []byte("race"))
		body := func(n int) []byte { return bytes.Repeat(fmt.Appendf(nil, "%02d ", n), 20_000) }
		var fresh [many]bool
		var errs [many]error
		var wg sync.WaitGroup
		begin := make(chan struct{})
		for n := range many {
			wg.Go(func() {
				<-begin
				fresh[n], errs[n] = ways[n%len(ways)].Put(s.ctx, k, objects.Bytes(body(n)))
			})
		}
		close(begin)
		wg.Wait()
		winner := -1
		for n := range many {
			s.must(errs[n])
			if fresh[n] {
				if winner >= 0 {
					s.Fatalf("%d and %d have both put %s", winner, n, k)
				}
				winner = n
			}
		}
		if winner < 0 {
			s.Fatalf("nobody has put %s", k)
		}
		s.has(k, body(winner))
	}
}

func wrongDigest(s *suite) {
	for _, size := range []int{0, 1, 700, 300_000} {
		right := noise(uint64(size), size)
		k := key(1, right)
		b := objects.Bytes(right)
		b.SHA256[3] ^= 1
		_, err := s.store.Put(s.ctx, k, b)
		fails[*objects.RefusedError](s, err)
		s.hasNot(k)
		if size > 0 {
			other := bytes.Clone(right)
			other[size-1] ^= 0x80
			_, err = s.store.Put(s.ctx, k, objects.Body{ReaderAt: bytes.NewReader(other), Size: int64(size), SHA256: sha256.Sum256(right)})
			fails[*objects.RefusedError](s, err)
			s.hasNot(k)
		}
		s.put(k, right)
		s.has(k, right)
	}
	for _, b := range []objects.Body{{}, {ReaderAt: strings.NewReader(""), Size: -1}, {ReaderAt: strings.NewReader(""), Size: objects.MaxSize + 1}} {
		_, err := s.store.Put(s.ctx, key(2, nil), b)
		fails[*objects.RefusedError](s, err)
	}
}

var errDies = errors.New("the writer dies")

// dying is a body that cannot be read beyond a place.
type dying struct {
	io.ReaderAt
	at int64
}

func (d dying) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > d.at {
		return 0, errDies
	}
	return d.ReaderAt.ReadAt(p, off)
}

func torn(s *suite) {
	const size = 400_000
	b := noise(3, size)
	k := key(1, b)
	for _, at := range []int64{0, 1, size / 2, size - 1} {
		_, err := s.store.Put(s.ctx, k, objects.Body{ReaderAt: dying{bytes.NewReader(b), at}, Size: size, SHA256: sha256.Sum256(b)})
		if fails[*objects.RefusedError](s, err); !errors.Is(err, errDies) {
			s.Fatalf("the error is %v", err)
		}
		s.hasNot(k)
		_, err = s.store.Put(s.ctx, k, objects.Body{ReaderAt: bytes.NewReader(b[:at]), Size: size, SHA256: sha256.Sum256(b)})
		fails[*objects.RefusedError](s, err)
		s.hasNot(k)
	}
	s.put(k, b)
	s.has(k, b)
}

func wrongKeys(s *suite) {
	for _, k := range wrong() {
		_, err := s.store.Put(s.ctx, k, objects.Bytes(nil))
		fails[*objects.RefusedError](s, err)
		_, err = s.store.Get(s.ctx, k, 0, objects.Whole)
		fails[*objects.RefusedError](s, err)
		_, err = s.store.Stat(s.ctx, k)
		fails[*objects.RefusedError](s, err)
		fails[*objects.RefusedError](s, s.store.Delete(s.ctx, k))
	}
	for _, prefix := range []string{"/", "..", "sessions/../", "a\x00", "a//", ".new/", "%", strings.Repeat("a", objects.MaxKey+1)} {
		n := 0
		for _, err := range s.store.List(s.ctx, prefix, "") {
			n++
			fails[*objects.RefusedError](s, err)
		}
		if n != 1 {
			s.Fatalf("the list of %q ended %d times", prefix, n)
		}
	}
}

// wrong are texts that are no keys.
func wrong() (list []string) {
	digest := objects.Bytes(nil).SHA256
	right := objects.LogKey(session(1), 7, 9, digest)
	raw := objects.RawKey(session(1), "NODE", 7, 9, digest)
	list = []string{
		"", "/", ".", "..", "a", "sessions", "sessions/", right + "/", "/" + right, right + "\x00", right + "x", strings.ToUpper(right), right[:len(right)-4],
		strings.Replace(right, "sessions/", "sessions//", 1), strings.Replace(right, "/log/", "/../log/", 1), strings.Replace(right, "/log/", "/logs/", 1),
		strings.Replace(right, "0000000000000007", "0000000000000000", 1), strings.Replace(right, "0000000000000007", "7", 1),
		objects.LogKey(session(1), 9, 7, digest), objects.LogKey(session(1), 1, 1<<53, digest),
		objects.LogKey("x", 7, 9, digest), objects.ImageKey("..", digest),
		strings.Replace(objects.ImageKey(session(1), digest), digest.String(), digest.String()[1:], 1), "check/a", "check/a/b/c", "check/../a", "check/A/b",
	}
	for _, node := range []string{"", ".", "..", ".x", "a/b", "a b", "a\n", "ä", "a%2f", strings.Repeat("n", 65)} {
		list = append(list, strings.Replace(raw, "NODE", node, 1))
	}
	return list
}

func deletes(s *suite) {
	a, b := []byte("a"), []byte("b")
	s.put(key(1, a), a)
	s.put(key(1, b), b)
	for range 3 {
		s.must(s.store.Delete(s.ctx, key(1, a)))
		s.hasNot(key(1, a))
		s.has(key(1, b), b)
	}
	s.must(s.store.Delete(s.ctx, key(3, a)))
	s.put(key(1, a), b)
	s.has(key(1, a), b)
	s.must(s.store.Delete(s.ctx, key(1, a)))
	s.must(s.store.Delete(s.ctx, key(1, b)))
	s.hasNot(key(1, b))
	s.put(key(1, b), b)
	s.has(key(1, b), b)
}
