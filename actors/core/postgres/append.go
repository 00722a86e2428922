package postgres

import (
	"cmp"
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// appendBatches is the one statement, which is a function in the database (migrations/0010_append.sql). What it returns was taken; what is missing was not, and
// nothing else was touched. Behind a pooler the database reads its text each time: it is short, and ids come as they are.
const appendBatches = `SELECT id, coalesce(node, ''), incarnation, lease, epoch, head, oldest FROM session_append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`

// appended collects its answer.
func appended(rows pgx.Rows, err error, into map[string]core.Position) error {
	return each(rows, err, func() error {
		var p core.Position
		var id, lease pgtype.UUID
		if err := rows.Scan(&id, &p.Owner.Node, &p.Owner.Incarnation, &lease, &p.Epoch, &p.Head, &p.Oldest); err != nil {
			return err
		}
		p.Session, p.Lease = id.String(), core.Lease(lease.String())
		into[p.Session] = p
		return nil
	})
}

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
	at := map[string]core.Position{}
	err := c.call(ctx, "append", func(ctx context.Context) error {
		for len(todo) > 0 {
			n, bytes := 0, 0
			for ; n < len(todo) && (n == 0 || bytes+len(todo[n].Lines) <= most); n++ {
				bytes += len(todo[n].Lines)
			}
			some := arrays{lines: make([]byte, 0, bytes)}
			for _, b := range todo[:n] {
				some.add(b)
			}
			rows, err := c.pool.Query(ctx, appendBatches, some.arguments()...)
			if err := appended(rows, err, at); err != nil {
				return err
			}
			todo = todo[n:]
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
	first, last, epoch []int64
	time               []int64
	sources            [][]byte
	raw                []int32
	works              []bool
	places             []int32 // at which each one's lines begin, from 1
	lines              []byte
}

func (a *arrays) add(b *core.Batch) {
	a.id, a.lease = append(a.id, key(b.Session)), append(a.lease, key(string(b.Lease)))
	a.first, a.last, a.epoch = append(a.first, int64(b.First)), append(a.last, int64(b.Last())), append(a.epoch, int64(b.Epoch)) // Check bounds them
	a.time, a.raw = append(a.time, b.Time), append(a.raw, int32(len(b.Lines)))
	a.sources, a.works = append(a.sources, core.EncodeSources(b.Sources)), append(a.works, b.Works)
	a.places, a.lines = append(a.places, int32(len(a.lines)+1)), append(a.lines, b.Lines...)
}

func (a *arrays) arguments() []any {
	return []any{a.id, a.lease, a.first, a.last, a.epoch, a.time, a.sources, a.raw, a.works, a.places, a.lines}
}
