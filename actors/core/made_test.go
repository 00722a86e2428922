package core_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// rowsOf makes rows of any numbers.
func rowsOf(random *rand.Rand, first uint64, n int) (rows []core.Row) {
	any64 := func() uint64 {
		return []uint64{0, 1, 1 << 53, math.MaxUint64, random.Uint64(), random.Uint64N(100)}[random.IntN(6)]
	}
	for range n {
		r := core.Row{Bytes: 1 + random.Int64N(core.MaxRow)}
		r.First, r.Epoch, r.Time = first, any64(), int64(any64())
		for range 1 + random.IntN(5) {
			m := store.Made{Count: 1 + random.IntN(1000), Source: store.Source{Incarnation: uint32(any64()), Batch: any64()}}
			r.Sources = append(r.Sources, m)
			first += uint64(m.Count)
		}
		rows = append(rows, r)
	}
	return rows
}

// TestRowsOfSegments: rows come back as they were, all of them and any part, and what is none is refused.
func TestRowsOfSegments(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		first := 1 + random.Uint64N(1000)
		rows := rowsOf(random, first, 1+random.IntN(300))
		b := core.EncodeRows(rows)
		got, err := core.DecodeRows(b, first, 0, math.MaxUint64)
		if err != nil || !reflect.DeepEqual(got, rows) {
			t.Fatalf("%d rows come back as %d, %v", len(rows), len(got), err)
		}
		from, to := random.IntN(len(rows)), random.IntN(len(rows))
		from, to = min(from, to), max(from, to)
		part, err := core.DecodeRows(b, first, rows[from].First, rows[to].Last())
		if err != nil || len(part) == 0 || part[0].First > rows[from].First || part[len(part)-1].Last() < rows[to].Last() ||
			len(part) > to-from+1+2*64 {
			t.Fatalf("of %d rows those from %d to %d come back as %d, %v", len(rows), from, to, len(part), err)
		}
		cut := b[:random.IntN(len(b))]
		if got, err := core.DecodeRows(cut, first, 0, math.MaxUint64); err == nil && len(got) == len(rows) {
			t.Fatal("rows without their end are taken")
		}
		bad := append([]byte(nil), b...)
		bad[random.IntN(len(bad))] ^= 1 << random.IntN(8)
		_, _ = core.DecodeRows(bad, first, 0, math.MaxUint64) // it ends, and takes no more memory than there are bytes
	}
	if rows, err := core.DecodeRows(nil, 1, 0, 9); err != nil || rows != nil {
		t.Error(rows, err)
	}
}
