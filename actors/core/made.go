package core

import (
	"encoding/binary"
	"errors"
	"iter"
	"math"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// blockRows is how many rows EncodeRows puts into a block, which is read by itself.
const blockRows = 64

// EncodeRows writes the rows of a segment, in blocks of some: how many events a block has, how many bytes follow, and of each row the bytes of its lines, its
// epoch, its time and its number of runs; of each run the count, the incarnation and the batch. All but counts are what is added to the number before, in the
// block, so that they compress well.
func EncodeRows(rows []Row) []byte {
	out := make([]byte, 0, 8*len(rows))
	var block []byte
	for len(rows) > 0 {
		some := rows[:min(blockRows, len(rows))]
		rows = rows[len(some):]
		block = encodeBlock(block[:0], some)
		out = binary.AppendUvarint(out, some[len(some)-1].Last()-some[0].First+1)
		out = binary.AppendUvarint(out, uint64(len(block)))
		out = append(out, block...)
	}
	return out
}

func encodeBlock(b []byte, rows []Row) []byte {
	var was cell
	for i := range rows {
		r := &rows[i]
		b = binary.AppendUvarint(b, uint64(r.Bytes))
		b = binary.AppendVarint(b, int64(r.Epoch-was.epoch))
		b = binary.AppendVarint(b, int64(uint64(r.Time)-was.time))
		b = binary.AppendUvarint(b, uint64(len(r.Sources)))
		was.epoch, was.time = r.Epoch, uint64(r.Time)
		for _, m := range r.Sources {
			b = binary.AppendUvarint(b, uint64(m.Count))
			b = binary.AppendVarint(b, int64(m.Source.Incarnation)-int64(was.life))
			b = binary.AppendVarint(b, int64(m.Source.Batch-was.batch))
			was.life, was.batch = m.Source.Incarnation, m.Source.Batch
		}
	}
	return b
}

// cell is what the numbers before one were. Differences wrap around.
type cell struct {
	epoch, time, batch uint64
	life               uint32
}

var errRows = errors.New("the rows of a segment are damaged")

// numbers reads them; behind the first that is none, all are 0.
type numbers struct {
	rest []byte
	err  error
}

func (n *numbers) plain() uint64 {
	v, size := binary.Uvarint(n.rest)
	return n.took(v, size)
}

// more is what is added to a number.
func (n *numbers) more() uint64 {
	v, size := binary.Varint(n.rest)
	return n.took(uint64(v), size)
}

func (n *numbers) took(v uint64, size int) uint64 {
	if size <= 0 {
		n.err, n.rest = errRows, nil
		return 0
	}
	n.rest = n.rest[size:]
	return v
}

// DecodeRows reads, of what EncodeRows has written of rows that begin with the event begin, those that have the events first to last, and some around them.
func DecodeRows(b []byte, begin, first, last uint64) (rows []Row, err error) {
	n := &numbers{rest: b}
	for len(n.rest) > 0 {
		events, size := n.plain(), n.plain()
		if n.err != nil || events == 0 || size > uint64(len(n.rest)) {
			return nil, errRows
		}
		if begin <= last && begin+events > first {
			had := len(rows)
			if rows, err = decodeBlock(rows, n.rest[:size], begin); err != nil {
				return nil, err
			}
			if len(rows) == had || rows[len(rows)-1].Last() != begin+events-1 {
				return nil, errRows
			}
		}
		n.rest = n.rest[size:]
		begin += events
	}
	return rows, nil
}

func decodeBlock(rows []Row, block []byte, first uint64) ([]Row, error) {
	var was cell
	n := &numbers{rest: block}
	for len(n.rest) > 0 {
		r := Row{Bytes: int64(n.plain())}
		was.epoch += n.more()
		was.time += n.more()
		r.First, r.Epoch, r.Time = first, was.epoch, int64(was.time)
		runs := n.plain()
		if r.Bytes <= 0 || r.Bytes > MaxRow || runs == 0 || runs > uint64(len(n.rest)) {
			return nil, errRows
		}
		r.Sources = make([]store.Made, 0, runs)
		for range runs {
			count := n.plain()
			life := int64(was.life) + int64(n.more())
			was.batch += n.more()
			if count == 0 || count > math.MaxInt32 || life < 0 || life > math.MaxUint32 {
				return nil, errRows
			}
			was.life = uint32(life)
			r.Sources = append(r.Sources, store.Made{Count: int(count), Source: store.Source{Incarnation: was.life, Batch: was.batch}})
			first += count
		}
		rows = append(rows, r)
	}
	return rows, n.err
}

// Stretches are pieces that must all be rows: for whoever has no way to objects. What is in one is a *ColdError.
func Stretches(op string, pieces iter.Seq2[Piece, error]) iter.Seq2[store.Stretch, error] {
	return func(yield func(store.Stretch, error) bool) {
		for p, err := range pieces {
			if err == nil && p.Segment != nil {
				err = &ColdError{Op: op, First: p.Segment.First}
			}
			if err != nil {
				yield(store.Stretch{}, err)
				return
			}
			if !yield(p.Stretch, nil) {
				return
			}
		}
	}
}

// Bytes is what Count says where its parts are rows.
func Bytes(op string, whole int64, parts []Piece, err error) (int64, error) {
	for _, p := range parts {
		if p.Segment != nil {
			return 0, &ColdError{Op: op, First: p.Segment.First}
		}
		whole += int64(len(p.Lines))
	}
	if err != nil {
		return 0, err
	}
	return whole, nil
}
