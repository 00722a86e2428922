package disk

import (
	"io"
	"io/fs"
)

// FS is a file system, as far as the daemon needs one. Its methods may be called from any goroutine; errors are those of package
// os, so that errors.Is finds fs.ErrNotExist and the errno.
type FS interface {
	// Mkdir makes a folder that only its owner may enter (0700).
	Mkdir(dir string) error
	// Create makes a file that only its owner may read (0600) and that must not exist.
	Create(name string) (Writer, error)
	// Append opens an existing file for writing at its end.
	Append(name string) (Writer, error)
	// Patch opens an existing file for writing anywhere in it. Close gives it the time of its last change that it had: what is mended is as old as
	// it was.
	Patch(name string) (Patcher, error)
	// Open opens a file for reading.
	Open(name string) (Reader, error)
	Rename(from, to string) error
	Remove(name string) error
	// RemoveAll removes a folder with all that is in it; it is no error when there is none.
	RemoveAll(dir string) error
	// List names the files of a folder, in any order.
	List(dir string) ([]Entry, error)
	// Subfolders names the folders in a folder, in any order.
	Subfolders(dir string) ([]string, error)
	// SyncDir makes the names in a folder survive a loss of power.
	SyncDir(dir string) error
	// Stamp tells versions of a file apart without opening it. anew has it give the file one that no other version of it has had.
	Stamp(name string, anew bool) (Stamp, error)
}

// Tree is a file system in which a name is given to a file only if nobody has it.
type Tree interface {
	FS
	// Link gives a file a second name. The error is fs.ErrExist where something has that name: of many that link at once to one name, one succeeds.
	Link(from, to string) error
}

// Stamp stands for one version of a file: a file that was replaced or written to has another one.
type Stamp struct {
	Inode    uint64 `json:"inode"`
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"` // Unix nanoseconds
}

// Entry is one file of a folder.
type Entry struct {
	Name     string
	Size     int64
	Modified int64 // Unix milliseconds
}

// Writer is an open file that grows at its end.
type Writer interface {
	io.Writer
	io.Closer
	// Sync makes the file's bytes and size survive a loss of power; other attributes need not.
	Sync() error
	Truncate(size int64) error
	Stat() (fs.FileInfo, error)
}

// Patcher is a file of which places are written over. A Writer's Sync makes that safe too.
type Patcher interface {
	io.WriterAt
	io.Closer
}

// Reader is a file open for reading. The operating system's is an *os.File, so that net/http can hand ranges of it to
// sendfile.
type Reader interface {
	io.Reader
	io.ReaderAt
	io.Seeker
	io.Closer
	Stat() (fs.FileInfo, error)
}
