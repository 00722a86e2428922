package disktest

import (
	"io/fs"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// Tree is a Disk as a disk.Tree.
type Tree struct{ *Disk }

var _ disk.Tree = Tree{}

// Link gives a file a second name.
func (t Tree) Link(from, to string) error {
	from, to = filepath.Clean(from), filepath.Clean(to)
	t.mu.Lock()
	n, ok := t.now.names[from]
	t.mu.Unlock()
	if !ok || n == folder {
		return &fs.PathError{Op: "link", Path: from, Err: fs.ErrNotExist}
	}
	return t.do(Op{Kind: "link", Name: to, To: from, node: n}, func() error { return t.now.free(to) })
}
