package objectstest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

func ranges(s *suite) {
	b := noise(4, 70_001)
	size := int64(len(b))
	k := key(1, b)
	s.put(k, b)
	s.put(key(1, nil), nil)
	for _, offset := range []int64{0, 1, size / 2, size - 1, size, size + 1, 1 << 40} {
		for _, length := range []int64{objects.Whole, 0, 1, 4096, size - 1, size, size + 1, 1 << 40, 1<<63 - 1} {
			from := min(offset, size)
			to := size
			if length != objects.Whole && length < size-from {
				to = from + length
			}
			if got := s.get(k, offset, length); !bytes.Equal(got, b[from:to]) {
				s.Fatalf("%d bytes from %d on are %d bytes, want %d", length, offset, len(got), to-from)
			}
			if got := s.get(key(1, nil), offset, length); len(got) != 0 {
				s.Fatalf("of an empty object %d bytes from %d on are %d", length, offset, len(got))
			}
		}
	}
	for _, r := range [][2]int64{{-1, 1}, {0, -2}} {
		_, err := s.store.Get(s.ctx, k, r[0], r[1])
		fails[*objects.RefusedError](s, err)
	}
	// A reader that is closed before its end keeps nobody from anything.
	r, err := s.store.Get(s.ctx, k, 10, objects.Whole)
	s.must(err)
	_, err = io.ReadFull(r, make([]byte, 10))
	s.must(err)
	s.must(r.Close())
	s.has(k, b)
}

func anyBytes(s *suite) {
	for i, b := range [][]byte{
		[]byte("\x00"), []byte("\r\n\r\n"), []byte("0\r\n\r\n"), []byte("\xff\xfe\x00\x01"), []byte("<Error><Code>NoSuchKey</Code></Error>"),
		make([]byte, 70_000),
		{0x28, 0xb5, 0x2f, 0xfd},
		{0x1f, 0x8b, 8, 0},
	} {
		s.put(key(i, b), b)
		s.has(key(i, b), b)
	}
}

// pattern is a body without memory: the byte at n is that of a count.
type pattern struct{ size int64 }

func (p pattern) ReadAt(b []byte, off int64) (n int, err error) {
	for ; n < len(b) && off < p.size; n, off = n+1, off+1 {
		b[n] = byte(off ^ off>>8 ^ off>>16)
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func large(s *suite) {
	p := pattern{17<<20 + 5}
	sum := sha256.New()
	_, err := io.Copy(sum, io.NewSectionReader(p, 0, p.size))
	s.must(err)
	k := objects.LogKey(session(1), 1, 2, objects.Digest(sum.Sum(nil)))
	fresh, err := s.store.Put(s.ctx, k, objects.Body{ReaderAt: p, Size: p.size, SHA256: objects.Digest(sum.Sum(nil))})
	if !fresh || err != nil {
		s.Fatal(fresh, err)
	}
	r, err := s.store.Get(s.ctx, k, 0, objects.Whole)
	s.must(err)
	defer r.Close()
	got := sha256.New()
	n, err := io.Copy(got, r)
	if err != nil || n != p.size || !bytes.Equal(got.Sum(nil), sum.Sum(nil)) {
		s.Fatalf("%d bytes of %d came back, %v", n, p.size, err)
	}
	want := make([]byte, 1000)
	_, err = p.ReadAt(want, 16<<20-500)
	s.must(err)
	if !bytes.Equal(s.get(k, 16<<20-500, 1000), want) {
		s.Fatal("a range of it is not right")
	}
}

func missing(s *suite) {
	s.put(key(1, []byte("a")), []byte("a"))
	for _, k := range []string{key(1, nil), key(2, []byte("a")), objects.LogKey(session(1), 1, 2, objects.Digest{})} {
		for _, r := range [][2]int64{{0, objects.Whole}, {5, 10}, {0, 0}} {
			_, err := s.store.Get(s.ctx, k, r[0], r[1])
			if is := fails[*objects.NotFoundError](s, err); is.Key != k {
				s.Fatalf("the error is %v", err)
			}
		}
		s.hasNot(k)
	}
}

func lists(s *suite) {
	if got := s.keys("", ""); len(got) != 0 {
		s.Fatalf("an empty place lists %q", got)
	}
	var all []string
	for n := range 3 {
		for i, first := range []uint64{1, 5, 9, 10, 11, 99, 100, 1 << 40} {
			d := objects.Bytes([]byte{byte(n), byte(i)}).SHA256
			all = append(all, objects.LogKey(session(n), first, first, d), objects.ImageKey(session(n), d))
			for _, node := range []string{"a", "a-b", "a.b", "a_b", "A", "a0", "aa"} { // some come before "/", some behind it
				all = append(all, objects.RawKey(session(n), node, first, first+1, d))
			}
		}
	}
	slices.Sort(all)
	order := slices.Clone(all)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, k := range order {
		s.put(k, []byte(k))
	}
	from := func(prefix, after string) (want []string) {
		for _, k := range all {
			if strings.HasPrefix(k, prefix) && k > after {
				want = append(want, k)
			}
		}
		return want
	}
	prefixes := []string{"", "s", "sessions/", "sessions/0199", "x", "check/", "sessions/x/"}
	prefixes = append(prefixes, objects.SessionPrefix(session(1)), objects.SessionPrefix(session(9)))
	for _, part := range []string{"log", "log/", "log/0000000000000", "raw/", "raw/a", "raw/a/", "raw/a-b/", "raw/a.", "images/", "images/e", "nothing"} {
		prefixes = append(prefixes, objects.SessionPrefix(session(2))+part)
	}
	for _, prefix := range prefixes {
		for _, after := range []string{"", all[0], all[len(all)/2], all[len(all)-1], all[7] + "0", objects.SessionPrefix(session(1)), "sessions", "a", "z"} {
			if got, want := s.keys(prefix, after), from(prefix, after); !slices.Equal(got, want) {
				s.Fatalf("%q behind %q lists %d keys, want %d:\n%s", prefix, after, len(got), len(want), strings.Join(got, "\n"))
			}
		}
	}
	for info, err := range s.store.List(s.ctx, "sessions/", "") {
		s.must(err)
		if info.Size != int64(len(info.Key)) || info.Modified.IsZero() {
			s.Fatalf("the list says %+v", info)
		}
		break // nobody has to go to the end
	}
}

// pages lists more than a page, while others put and delete.
func pages(s *suite) {
	many := objects.Page + 205
	if s.Long {
		many = 2*objects.Page + 5
	}
	var all []string
	for n := range many {
		all = append(all, objects.LogKey(session(1), uint64(n+1), uint64(n+1), objects.Digest{byte(n)}))
	}
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for n := worker; n < many; n += 8 {
				if fresh, err := s.store.Put(s.ctx, all[n], objects.Bytes(nil)); err != nil || !fresh {
					s.Errorf("put %s: %v, %v", all[n], fresh, err)
				}
			}
		})
	}
	wg.Wait()
	if got := s.keys("sessions/", ""); !slices.Equal(got, all) {
		s.Fatalf("%d keys are listed, want %d", len(got), many)
	}
	if got := s.keys("", all[objects.Page-1]); !slices.Equal(got, all[objects.Page:]) {
		s.Fatalf("%d keys are listed behind the first page", len(got))
	}
	n := 0
	for info, err := range s.store.List(s.ctx, objects.SessionPrefix(session(1)), "") {
		s.must(err)
		if n++; n == 1 { // what goes and comes during the list is in it or not, and disturbs nothing else
			s.must(s.store.Delete(s.ctx, all[many-2]))
			s.must(s.store.Delete(s.ctx, info.Key))
		}
		if info.Key == all[many-1] && n < many-1 {
			s.Fatalf("the last key came as number %d of %d", n, many)
		}
	}
	if n != many && n != many-1 {
		s.Fatalf("%d keys were listed, want %d", n, many)
	}
}

func contexts(s *suite) {
	k := key(1, []byte("a"))
	s.put(k, bytes.Repeat([]byte("a"), 3<<20))
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(s.ctx)
	r, err := s.store.Get(ctx, k, 0, objects.Whole)
	s.must(err)
	defer r.Close()
	_, err = io.ReadFull(r, make([]byte, 10))
	s.must(err)
	cancel(why)
	_, err = io.Copy(io.Discard, r)
	fails[*objects.AwayError](s, err)
	_, err = s.store.Put(ctx, key(1, nil), objects.Bytes(nil))
	fails[*objects.AwayError](s, err)
	_, err = s.store.Get(ctx, k, 0, 1)
	fails[*objects.AwayError](s, err)
	_, err = s.store.Stat(ctx, k)
	fails[*objects.AwayError](s, err)
	fails[*objects.AwayError](s, s.store.Delete(ctx, k))
	s.listFails(s.store.List(ctx, "", ""))
	s.hasNot(key(1, nil))
	s.has(k, bytes.Repeat([]byte("a"), 3<<20))
}

// listFails expects that a list has nothing but an *objects.AwayError: one that ends without a word would say that nothing is there.
func (s *suite) listFails(list iter.Seq2[objects.Info, error]) {
	s.Helper()
	n := 0
	for info, err := range list {
		n++
		if fails[*objects.AwayError](s, err); info.Key != "" {
			s.Fatalf("the list has %s", info.Key)
		}
	}
	if n != 1 {
		s.Fatalf("the list ends with %d errors", n)
	}
}

func closed(s *suite) {
	s.put(key(1, nil), nil)
	way := s.way()
	way.Close()
	way.Close()
	_, err := way.Put(s.ctx, key(1, nil), objects.Bytes(nil))
	fails[*objects.AwayError](s, err)
	_, err = way.Stat(s.ctx, key(1, nil))
	fails[*objects.AwayError](s, err)
	_, err = way.Get(s.ctx, key(1, nil), 0, 1)
	fails[*objects.AwayError](s, err)
	fails[*objects.AwayError](s, way.Delete(s.ctx, key(1, nil)))
	s.listFails(way.List(s.ctx, "", ""))
	s.has(key(1, nil), nil)
}

func check(s *suite) {
	findings, err := objects.Check(s.ctx, s.store)
	s.must(err)
	s.must(objects.Unfit(findings))
	if len(findings) < 5 {
		s.Fatalf("only %+v was asked", findings)
	}
	if left := s.keys("", ""); len(left) != 0 {
		s.Fatalf("the check has left %q", left)
	}
}
