package workdir

import (
	"path/filepath"
	"slices"
	"sync/atomic"
)

// Roots are the folders inside which sessions may work, in all their spellings. Anybody may read them, and the supervisor's actor alone adds to them.
type Roots struct{ list atomic.Pointer[[]string] }

// NewRoots has the roots that ResolveRoots gave.
func NewRoots(list []string) *Roots {
	r := new(Roots)
	r.list.Store(&list)
	return r
}

// All gives them; the slice is not to be changed.
func (r *Roots) All() []string { return *r.list.Load() }

// Add adds what ResolveRoots gave; for one goroutine alone.
func (r *Roots) Add(paths []string) {
	list := append(slices.Clone(r.All()), paths...)
	r.list.Store(&list)
}

// WithoutLinks leaves the other spellings of linked roots out, which are allowed as well.
func WithoutLinks(roots []string) (list []string) {
	for _, root := range roots {
		if resolved, err := filepath.EvalSymlinks(root); err == nil && resolved == root && !slices.Contains(list, root) {
			list = append(list, root)
		}
	}
	return list
}
