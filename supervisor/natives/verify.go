package natives

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects/segment"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Verdict is how the native lines of a session in the object store compare with those of its folder.
type Verdict struct {
	Read    uint64 // lines that are in the store, and are what was put
	Differs string // where they are not the same, or an object is not what was put, for people; "": they are
}

// Verify reads all that the object store has of a session's native lines, holds it against its digests, and compares it with what is in a folder, as far as the
// node of that has put it. c must be what cold.Join gives. An error is one of Core's, of the store, or of reading the folder.
func Verify(ctx context.Context, c core.Core, id, node, dir string, files disk.FS) (v Verdict, err error) {
	from, ok := c.(cold.Natives)
	if !ok {
		return v, nil
	}
	list, err := c.Archived(ctx, id)
	if err != nil {
		return v, err
	}
	for i := range list {
		g := &list[i]
		next, stop := iter.Pull2(func(func(raw.Line, error) bool) {})
		if g.Node == node {
			r, err := raw.Read(dir, files)
			if err != nil {
				return v, err
			}
			stop()
			next, stop = iter.Pull2(r.From(g.Object.First))
		}
		err := v.segment(from.NativeLines(ctx, g, g.Object.First-1, g.Object.Last), next)
		stop()
		var damaged *store.DamageError
		switch {
		case errors.As(err, &damaged):
			v.Differs = fmt.Sprintf("the object %s is not what was put: %s", damaged.File, damaged.Problem)
			return v, nil
		case err != nil || v.Differs != "":
			return v, err
		}
	}
	return v, nil
}

// segment compares lines of the store with those that next gives, where these have the same number.
func (v *Verdict) segment(runs iter.Seq2[segment.Run, error], next func() (raw.Line, error, bool)) error {
	mine, err, more := next()
	for run, failed := range runs {
		if failed != nil {
			return failed
		}
		for number, rest := run.First, run.Lines; len(rest) > 0; number++ {
			var record []byte
			record, rest, _ = bytes.Cut(rest, []byte{'\n'})
			v.Read++
			for more && err == nil && mine.Number < number {
				mine, err, more = next()
			}
			switch {
			case err != nil:
				return err
			case !more || mine.Number != number, len(mine.Record) >= segment.MaxLine:
				continue
			case !bytes.Equal(mine.Record, record):
				v.Differs = fmt.Sprintf("native line %d is another one in the object store than in the archive", number)
				return nil
			}
		}
	}
	return nil
}
