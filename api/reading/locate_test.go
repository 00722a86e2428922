package reading

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// bounds is a log of which only its ends are asked.
type bounds struct {
	store.Log
	oldest, newest uint64
}

func (b bounds) Bounds() (oldest, newest uint64) { return b.oldest, b.newest }

// TestCursorsAcrossEpochs makes up logs that lose their ends again and again, of events that are told apart by a number of their own, and asks with every
// cursor that a reader of any moment may have. A good one names what the reader has read, a reset comes for no other one that is kept, and what a reset calls
// common is the same then and now.
// Proves: I16.1/cursors
func TestCursorsAcrossEpochs(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 1))
	good, void, common := 0, 0, 0
	for range 300 {
		w := &lives{random: random, epoch: 1, versions: map[uint64][][]int{}}
		for range 1 + random.IntN(40) {
			if random.IntN(5) == 0 {
				w.lose()
			} else {
				w.log = append(w.log, w.event())
			}
			w.versions[w.epoch] = append(w.versions[w.epoch], slices.Clone(w.log))
		}
		newest := uint64(len(w.log))
		oldest := 1 + random.Uint64N(newest/2+1)
		r := &session.Reader{Ring: ring.New(w.epoch, newest, 1<<10), Log: bounds{oldest: oldest, newest: newest}, Epochs: w.epochs}
		for epoch, versions := range w.versions {
			for _, was := range versions {
				for seq := uint64(1); seq <= uint64(len(was)); seq++ {
					since, reset, ok := Locate(r, protocol.Cursor{Epoch: epoch, Seq: seq}, newest)
					kept := seq+1 >= oldest
					same := seq <= newest && slices.Equal(was[:seq], w.log[:seq])
					_, told := r.Agree(epoch)
					switch {
					case ok && (!same || !kept || since != seq):
						t.Fatalf("%v at %d.%d of %v is good for %v from %d on: goes on behind %d", w.epochs, epoch, seq, was, w.log, oldest, since)
					case !ok && same && kept && told:
						t.Fatalf("%v at %d.%d of %v is void for %v", w.epochs, epoch, seq, was, w.log)
					case !ok && since != oldest-1:
						t.Fatalf("a reset goes on behind %d, oldest is %d", since, oldest)
					case ok && reset.Common != 0:
						t.Fatalf("a good cursor has common %d", reset.Common)
					}
					if c := reset.Common; c > 0 && (c >= seq || c+1 < oldest || c > newest || !slices.Equal(was[:c], w.log[:c])) {
						t.Fatalf("%v at %d.%d of %v: common is %d with %v", w.epochs, epoch, seq, was, c, w.log)
					}
					switch {
					case ok && epoch < w.epoch:
						good++
					case reset.Common > 0:
						common++
					default:
						void++
					}
				}
			}
		}
	}
	if good < 1000 || void < 1000 || common < 1000 {
		t.Errorf("%d cursors went on, %d began anew, %d of them from common events", good, void, common)
	}
}

// lives is a log with all that it ever was.
type lives struct {
	random   *rand.Rand
	epoch    uint64
	last     int
	log      []int
	epochs   protocol.Epochs
	versions map[uint64][][]int
}

func (w *lives) event() int { w.last++; return w.last }

// lose takes events from the end, the first event of an epoch among them at times, and begins the next epoch.
func (w *lives) lose() {
	w.log = slices.Clone(w.log[:len(w.log)-w.random.IntN(len(w.log)+1)])
	w.epochs = slices.DeleteFunc(slices.Clone(w.epochs), func(s protocol.EpochStart) bool { return s.First > uint64(len(w.log)) })
	w.epoch++
	w.log = append(w.log, w.event())
	w.epochs = w.epochs.Begin(w.epoch, uint64(len(w.log)))
}

// TestCursorsOfUnknownEpochs: where it cannot be told any more where an epoch began, and before its first event is written, cursors of earlier ones are void.
// Proves: I16.1/cursors
func TestCursorsOfUnknownEpochs(t *testing.T) {
	for name, r := range map[string]*session.Reader{
		"of a snapshot that did not tell": {Ring: ring.New(3, 50, 1<<10), Epochs: protocol.Epochs{{Epoch: 3}}},
		"not written yet":                 {Ring: ring.New(3, 50, 1<<10), Epochs: protocol.Epochs{{Epoch: 2, First: 40}}},
		"never had":                       {Ring: ring.New(3, 50, 1<<10), Epochs: protocol.Epochs{{Epoch: 3, First: 45}}},
	} {
		r.Log = bounds{oldest: 1, newest: 50}
		for _, c := range []protocol.Cursor{{Epoch: 2, Seq: 5}, {Epoch: 2, Seq: 49}, {Epoch: 4, Seq: 5}} {
			if _, reset, ok := Locate(r, c, 50); ok || reset.Common != 0 {
				t.Errorf("%s: the cursor %s: good %v, common %d", name, c, ok, reset.Common)
			}
		}
		if since, _, ok := Locate(r, protocol.Cursor{Epoch: 3, Seq: 7}, 50); !ok || since != 7 {
			t.Errorf("%s: a cursor of its own epoch: %d, %v", name, since, ok)
		}
		if since, _, ok := Locate(r, protocol.Cursor{Epoch: 9}, 50); !ok || since != 0 {
			t.Errorf("%s: the start: %d, %v", name, since, ok)
		}
	}
}
