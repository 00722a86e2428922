package postgres

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5/pgtype"
	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// appendBatches is the one statement. What it returns was taken; what is missing was not, and nothing else was touched. Lines go through both common table
// expressions by reference.
const appendBatches = `WITH b AS (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bytea[], $8::integer[], $9::bytea[])
    AS b (id, lease, first_seq, last_seq, epoch, ts, sources, raw, lines)
), s AS (
  UPDATE session_log l SET head = b.last_seq, epoch = b.epoch, began = CASE WHEN l.epoch < b.epoch THEN b.first_seq ELSE l.began END
  FROM b WHERE l.id = b.id AND l.lease = b.lease AND l.head = b.first_seq - 1 AND l.epoch <= b.epoch
  RETURNING l.id, l.node, l.incarnation, l.lease, l.epoch, l.head, l.oldest, l.began, b.first_seq, b.ts, b.sources, b.raw, b.lines
), batches AS (
  INSERT INTO session_batch (session_id, first_seq, last_seq, epoch, lease, ts, sources, raw, lines)
  SELECT id, first_seq, head, epoch, lease, ts, sources, raw, lines FROM s
), epochs AS (
  INSERT INTO session_epoch (session_id, epoch, first_seq, lease, node, reason)
  SELECT id, epoch, first_seq, lease, node, 'appended' FROM s WHERE began = first_seq
  ON CONFLICT DO NOTHING -- the epoch's first batch, where it was registered or has begun with a cut
)
SELECT ` + columns + ` FROM s`

// most bounds the lines of one statement, in bytes, far above what a node sends at once: the database wants each message in memory.
const most = 64 << 20

func (c *client) Append(ctx context.Context, batches []core.Batch) ([]core.Answer, error) {
	answers := make([]core.Answer, len(batches))
	var todo []*core.Batch
	seen := map[string]bool{}
	for i := range batches {
		b := &batches[i]
		if answers[i].Problem = b.Check(); answers[i].Problem != "" {
			continue
		}
		if seen[b.Session] {
			answers[i].Problem = core.Again
			continue
		}
		seen[b.Session] = true
		todo = append(todo, b)
	}
	// Rows that are locked in one order make deadlocks rare: two owners may name the same sessions.
	slices.SortFunc(todo, func(a, b *core.Batch) int { return cmp.Compare(a.Session, b.Session) })
	err := c.call(ctx, "append", func(ctx context.Context) error {
		at := map[string]core.Position{}
		for len(todo) > 0 {
			var some arrays
			n := 0
			for bytes := 0; n < len(todo) && (n == 0 || bytes+len(todo[n].Lines) <= most); n++ {
				bytes += len(todo[n].Lines)
				some.add(todo[n])
			}
			todo = todo[n:]
			rows, err := c.pool.Query(ctx, appendBatches, some.arguments()...)
			taken, err := byID(rows, err)
			if err != nil {
				return err
			}
			for id, p := range taken {
				at[id] = p
			}
		}
		return c.answer(ctx, batches, answers, at)
	})
	if err != nil {
		return nil, err
	}
	return answers, nil
}

// answer fills in the positions, and asks for those of what was not taken.
func (c *client) answer(ctx context.Context, batches []core.Batch, answers []core.Answer, taken map[string]core.Position) error {
	var others []string
	for i := range batches {
		p, ok := taken[batches[i].Session]
		answers[i].At, answers[i].Taken = p, ok && answers[i].Problem == ""
		if !ok {
			others = append(others, batches[i].Session)
		}
	}
	at, err := positions(ctx, c.pool, others)
	for i := range answers {
		if p, ok := at[batches[i].Session]; ok {
			answers[i].At = p
		}
	}
	return err
}

// arrays are batches as the statement takes them.
type arrays struct {
	id, lease          []pgtype.UUID
	first, last, epoch []uint64
	time               []int64
	sources, lines     [][]byte
	raw                []int32
}

func (a *arrays) add(b *core.Batch) {
	a.id, a.lease = append(a.id, key(b.Session)), append(a.lease, key(string(b.Lease)))
	a.first, a.last, a.epoch = append(a.first, b.First), append(a.last, b.Last()), append(a.epoch, b.Epoch)
	a.time, a.raw = append(a.time, b.Time), append(a.raw, int32(len(b.Lines)))
	a.sources, a.lines = append(a.sources, core.EncodeSources(b.Sources)), append(a.lines, b.Lines)
}

func (a *arrays) arguments() []any {
	return []any{a.id, a.lease, a.first, a.last, a.epoch, a.time, a.sources, a.raw, a.lines}
}
