package sqlcache

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// rewind takes away the lines behind one, and notes the epoch of the others, in one transaction. All of them are read once more before: one that was changed
// since the opening would get a checksum that is right.
func (s *session) rewind(ctx context.Context, e sync.Rewind) error {
	if s.stuck != nil {
		return s.stuck
	}
	c := s.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	var all, kept sync.File
	run, err := s.measure(ctx, &all, protocol.MaxSeq)
	if err != nil {
		return fmt.Errorf("sqlcache: %w", err)
	}
	if !run || all.Seq != s.newest.Seq || all.Length != s.newest.Length || all.Sum != s.newest.Sum {
		return fmt.Errorf("%w: they are not as they were written", cache.ErrUnreadable)
	}
	if _, err := s.measure(ctx, &kept, e.At.Seq); err != nil {
		return fmt.Errorf("sqlcache: %w", err)
	}
	if kept.Seq != e.At.Seq {
		return fmt.Errorf("%w: there is no line %d", cache.ErrUnreadable, e.At.Seq)
	}
	next := sync.Index{Epoch: e.At.Epoch, Seq: kept.Seq, Length: kept.Length, Sum: kept.Sum}
	err = c.change(ctx, func(tx *sql.Tx) error {
		if err := s.note(ctx, tx, next); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM events WHERE session_id = ? AND seq > ?`, s.id, next.Seq)
		return err
	})
	if err != nil {
		return err
	}
	s.newest, s.noted = next, true
	c.resize(s.id, next.Length)
	return nil
}
