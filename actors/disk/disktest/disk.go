// Package disktest is a file system in memory for tests of what stores things: it records every change, fails where it
// is told to, and shows what a loss of power at any moment could leave.
package disktest

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// Disk is a disk.FS. It is safe for concurrent use.
type Disk struct {
	mu    sync.Mutex
	base  *tree // before the first of ops
	now   *tree
	ops   []Op
	fail  func(n int, op Op) *Fault
	open  int
	limit int64 // bytes of all files; 0: none
}

// New makes an empty disk that has the folder ".".
func New() *Disk { return &Disk{base: newTree(), now: newTree()} }

// Op is one change, or one attempt of it.
type Op struct {
	Kind   string // mkdir, create, write, patch, truncate, sync, link, rename, remove, removeall, syncdir
	Name   string // of link: the new one
	To     string // of rename; of link: what has it
	Data   []byte // of write, patch
	Size   int64  // of truncate; of patch: where it begins
	Failed bool

	node int // of write, patch, truncate, sync, link
}

func (o Op) String() string {
	s := o.Kind + " " + o.Name
	switch o.Kind {
	case "mkdir":
		s += " 0700"
	case "create":
		s += " 0600"
	case "write":
		if n := strings.Count(string(o.Data), "\n"); strings.HasSuffix(o.Name, ".ndjson") {
			s += fmt.Sprintf(" %d lines", n)
		} else {
			s += fmt.Sprintf(" %d bytes", len(o.Data))
		}
	case "patch":
		s += fmt.Sprintf(" %d bytes at %d", len(o.Data), o.Size)
	case "truncate":
		s += fmt.Sprintf(" %d", o.Size)
	case "rename", "link":
		s += " " + o.To
	}
	if o.Failed {
		s += " FAILED"
	}
	return s
}

// Fault makes a change fail.
type Fault struct {
	Err   error
	Short int // of a write: so many bytes are written nevertheless
}

// Fail asks f before every change, of which n counts from 0; nil lets it happen. A nil f takes all faults away.
func (d *Disk) Fail(f func(n int, op Op) *Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = f
}

// FailAt lets the change n fail and no other.
func (d *Disk) FailAt(n int, err error, short int) {
	d.Fail(func(at int, _ Op) *Fault {
		if at == n {
			return &Fault{Err: err, Short: short}
		}
		return nil
	})
}

// Limit makes writes fail with ENOSPC, after what still fits, when all files together would be larger; 0: no limit.
func (d *Disk) Limit(bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limit = bytes
}

// Ops gives the changes from number n on.
func (d *Disk) Ops(n int) []Op {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Op(nil), d.ops[n:]...)
}

// Count is how many changes there were.
func (d *Disk) Count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.ops)
}

// OpenFiles is how many handles are open.
func (d *Disk) OpenFiles() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.open
}

// Files names all files, in order.
func (d *Disk) Files() []string { return d.list(func(n int) bool { return n != folder }) }

// Folders names all folders but the one that everything is in, in order.
func (d *Disk) Folders() []string {
	return slices.DeleteFunc(d.list(func(n int) bool { return n == folder }), func(name string) bool { return name == "." })
}

func (d *Disk) list(which func(n int) bool) (names []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, n := range d.now.names {
		if which(n) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// Bytes is the content of a file; nil when there is none.
func (d *Disk) Bytes(name string) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.now.file(name); f != nil {
		return append([]byte{}, f.bytes...)
	}
	return nil
}

// Put replaces the content of a file, which it makes with its folder if need be, behind everybody's back, without a trace: Kill and Crash do not know of it.
func (d *Disk) Put(name string, b []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.now.file(name)
	if f == nil {
		f = d.now.add(name)
		d.now.names[filepath.Dir(name)], d.now.durable[filepath.Dir(name)] = folder, folder
	}
	f.bytes, f.pending = append([]byte{}, b...), nil
	f.durable = f.bytes
	d.now.durable[name] = d.now.names[name]
}

// Flip flips one bit of a file behind everybody's back, as rot does.
func (d *Disk) Flip(name string, bit int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now.file(name).bytes[bit/8] ^= 1 << (bit % 8)
}

// Delete takes a file away behind everybody's back, without a trace: Kill and Crash do not know of it.
func (d *Disk) Delete(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.now.names, name)
	delete(d.now.durable, name)
}

// do makes one change, unless it is told to fail.
func (d *Disk) do(op Op, check func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := check(); err != nil {
		return &fs.PathError{Op: op.Kind, Path: op.Name, Err: err}
	}
	var fault *Fault
	if d.fail != nil {
		fault = d.fail(len(d.ops), op)
	}
	if free := d.limit - d.now.size(); fault == nil && d.limit > 0 && (op.Kind == "write" || op.Kind == "patch") && int64(len(op.Data)) > free {
		fault = &Fault{Err: syscall.ENOSPC, Short: int(max(free, 0))}
	}
	if fault != nil {
		op.Failed = true
		op.Data = op.Data[:min(fault.Short, len(op.Data))]
	}
	d.ops = append(d.ops, op)
	d.now.apply(op)
	if fault != nil {
		return &fs.PathError{Op: op.Kind, Path: op.Name, Err: fault.Err}
	}
	return nil
}

// Mkdir implements disk.FS, as the methods after it do.
func (d *Disk) Mkdir(dir string) error {
	dir = filepath.Clean(dir)
	return d.do(Op{Kind: "mkdir", Name: dir}, func() error { return d.now.free(dir) })
}

// Create makes a file.
func (d *Disk) Create(name string) (disk.Writer, error) {
	name = filepath.Clean(name)
	if err := d.do(Op{Kind: "create", Name: name}, func() error { return d.now.free(name) }); err != nil {
		return nil, err
	}
	return d.writer(name)
}

// Append opens a file for writing at its end.
func (d *Disk) Append(name string) (disk.Writer, error) { return d.writer(filepath.Clean(name)) }

func (d *Disk) writer(name string) (disk.Writer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now.file(name) == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	d.open++
	return &handle{disk: d, name: name, node: d.now.names[name]}, nil
}

// Patch opens a file for writing anywhere in it.
func (d *Disk) Patch(name string) (disk.Patcher, error) {
	w, err := d.writer(filepath.Clean(name))
	if err != nil {
		return nil, err
	}
	return w.(*handle), nil
}

// Open opens a file for reading.
func (d *Disk) Open(name string) (disk.Reader, error) {
	name = filepath.Clean(name)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now.file(name) == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	d.open++
	return &handle{disk: d, name: name, node: d.now.names[name]}, nil
}

// Rename moves a file or a folder.
func (d *Disk) Rename(from, to string) error {
	from, to = filepath.Clean(from), filepath.Clean(to)
	return d.do(Op{Kind: "rename", Name: from, To: to}, func() error { return d.now.there(from) })
}

// Remove takes a file away, or a folder with nothing in it.
func (d *Disk) Remove(name string) error {
	name = filepath.Clean(name)
	return d.do(Op{Kind: "remove", Name: name}, func() error { return d.now.bare(name) })
}

// RemoveAll takes a folder away with all in it.
func (d *Disk) RemoveAll(dir string) error {
	dir = filepath.Clean(dir)
	return d.do(Op{Kind: "removeall", Name: dir}, func() error { return nil })
}

// SyncDir makes the names of a folder durable.
func (d *Disk) SyncDir(dir string) error {
	dir = filepath.Clean(dir)
	return d.do(Op{Kind: "syncdir", Name: dir}, func() error { return d.now.there(dir) })
}

// List names the files of a folder.
func (d *Disk) List(dir string) ([]disk.Entry, error) {
	dir = filepath.Clean(dir)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.now.there(dir); err != nil {
		return nil, &fs.PathError{Op: "list", Path: dir, Err: err}
	}
	var list []disk.Entry
	for name, n := range d.now.names {
		if n != folder && filepath.Dir(name) == dir {
			list = append(list, disk.Entry{Name: filepath.Base(name), Size: int64(len(d.now.nodes[n].bytes))})
		}
	}
	return list, nil
}

// Subfolders names the folders in a folder.
func (d *Disk) Subfolders(dir string) (names []string, err error) {
	dir = filepath.Clean(dir)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.now.there(dir); err != nil {
		return nil, &fs.PathError{Op: "list", Path: dir, Err: err}
	}
	for name, n := range d.now.names {
		if n == folder && name != "." && filepath.Dir(name) == dir {
			names = append(names, filepath.Base(name))
		}
	}
	return names, nil
}

// Stamp tells versions of a file apart by their number and size. No two files have one number.
func (d *Disk) Stamp(name string, _ bool) (disk.Stamp, error) {
	name = filepath.Clean(name)
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.now.file(name)
	if f == nil {
		return disk.Stamp{}, &fs.PathError{Op: "stamp", Path: name, Err: fs.ErrNotExist}
	}
	return disk.Stamp{Inode: uint64(d.now.names[name]) + 1, Size: int64(len(f.bytes))}, nil
}
