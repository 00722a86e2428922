package journal_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store/storetest"
)

// TestStore holds the journal against the rules of all stores.
//
// Proves: I12/store, I16.2/carried
func TestStore(t *testing.T) {
	for name, size := range map[string]int64{"one segment": 0, "many segments": 1 << 10} {
		t.Run(name, func(t *testing.T) {
			storetest.Run(t, func(*testing.T) *storetest.Place { return place(disktest.New(), size) })
		})
	}
}

func place(d *disktest.Disk, size int64) *storetest.Place {
	return &storetest.Place{
		Store:     journal.In(func(id string) string { return id }, journal.Options{FS: d, SegmentBytes: size}),
		Kill:      func() *storetest.Place { return place(d.Kill(d.Count()), size) },
		PowerLoss: func(random *rand.Rand) *storetest.Place { return place(d.Crash(d.Count(), random), size) },
		Break: func(err error) {
			d.Fail(func(int, disktest.Op) *disktest.Fault {
				if err == nil {
					return nil
				}
				return &disktest.Fault{Err: err}
			})
		},
		Damage: func(id string, seq uint64) {
			for _, name := range d.Files() {
				at := bytes.Index(d.Bytes(name), fmt.Appendf(nil, `{"seq":%d,`, seq))
				if strings.HasPrefix(name, id+string(filepath.Separator)) && at >= 0 {
					d.Flip(name, 8*(at+2))
				}
			}
		},
		Open: d.OpenFiles,
	}
}
