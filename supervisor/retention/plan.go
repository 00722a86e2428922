package retention

import (
	"context"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
)

// Yard measures what sessions have on the disk.
type Yard struct {
	Data  folder.Data
	Files disk.FS
}

// Size counts the bytes of a session's files. What cannot be read has none.
func (y *Yard) Size(id string) core.Size {
	lines := y.folder(y.Data.Raw(id))
	return core.Size{ID: id, Raw: lines, Bytes: lines + y.folder(y.Data.Session(id)) + y.folder(y.Data.Images(id))}
}

func (y *Yard) folder(dir string) (bytes int64) {
	list, err := y.Files.List(dir)
	if err != nil {
		return 0
	}
	for _, e := range list {
		bytes += e.Size
	}
	return bytes
}

// Plan is what goes by a rule, as things are.
type Plan struct {
	Rule  keep.Rule
	Going []keep.Going
	Kept  map[string]int // sessions that stay in any case, with their trees, by what keeps them
	Bytes int64          // of all sessions
}

// Make makes a plan of sessions, of which those are measured that nobody has measured yet.
func (y *Yard) Make(ctx context.Context, all []keep.Shelved, rule keep.Rule, now time.Time) (Plan, error) {
	p := Plan{Rule: rule, Kept: map[string]int{}}
	for i := range all {
		x := &all[i]
		if !x.Sized {
			if err := context.Cause(ctx); err != nil {
				return p, err
			}
			size := y.Size(x.ID)
			x.Bytes, x.Raw = size.Bytes, size.Raw
		}
		p.Bytes += x.Bytes
		if x.Stays != "" {
			p.Kept[x.Stays]++
		}
	}
	p.Going = keep.Plan(all, &rule, now)
	return p, nil
}
