package objectstest

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// walk does anything in any order to a store and to a map, and compares.
func walk(s *suite) {
	steps := 150
	if s.Long {
		steps = 2000
	}
	random := rand.New(rand.NewPCG(7, 7))
	model := map[string][]byte{}
	var names []string
	for n := range 12 {
		d := objects.Bytes([]byte{byte(n)}).SHA256
		names = append(names, objects.LogKey(session(n%3), uint64(n+1), 20, d), objects.RawKey(session(n%3), []string{"a", "a-b"}[n%2], 1, 2, d))
	}
	ways := []objects.Store{s.way(), s.way()}
	for range steps {
		k := names[random.IntN(len(names))]
		s.store = ways[random.IntN(len(ways))]
		have, there := model[k]
		switch random.IntN(7) {
		case 0, 1:
			b := noise(random.Uint64(), random.IntN(3000))
			fresh, err := s.store.Put(s.ctx, k, objects.Bytes(b))
			if s.must(err); fresh == there {
				s.Fatalf("put %s: fresh is %v, and it was there: %v", k, fresh, there)
			}
			if fresh {
				model[k] = b
			}
		case 2:
			s.must(s.store.Delete(s.ctx, k))
			delete(model, k)
		case 3, 4:
			if there {
				offset, length := random.Int64N(3500), random.Int64N(3500)
				from := min(offset, int64(len(have)))
				if got := s.get(k, offset, length); !bytes.Equal(got, have[from:min(from+length, int64(len(have)))]) {
					s.Fatalf("%d bytes from %d on of %d are %d other ones", length, offset, len(have), len(got))
				}
				break
			}
			_, err := s.store.Get(s.ctx, k, 0, objects.Whole)
			fails[*objects.NotFoundError](s, err)
		case 5:
			info, err := s.store.Stat(s.ctx, k)
			if is := new(*objects.NotFoundError); errors.As(err, is) == there || there && (err != nil || info.Size != int64(len(have))) {
				s.Fatalf("of %s it is told %+v, %v", k, info, err)
			}
		default:
			prefix := k[:random.IntN(len(k)+1)]
			if objects.CheckPrefix(prefix) != nil {
				break
			}
			after := names[random.IntN(len(names))]
			want := slices.DeleteFunc(slices.Sorted(maps.Keys(model)), func(k string) bool { return !strings.HasPrefix(k, prefix) || k <= after })
			if got := s.keys(prefix, after); !slices.Equal(got, want) {
				s.Fatalf("%q behind %q lists %q, want %q", prefix, after, got, want)
			}
		}
	}
}
