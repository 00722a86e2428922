package pictures

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// Noting are files of which is told when one of them has its name.
func Noting(files disk.FS, noted func()) disk.FS { return &noting{files, noted} }

type noting struct {
	disk.FS
	noted func()
}

func (n *noting) Rename(from, to string) error {
	err := n.FS.Rename(from, to)
	if err == nil {
		n.noted()
	}
	return err
}

// Away are the pictures of a session that is on another node, as files: read gives one, and what would make one is refused.
func Away(files disk.FS, read func(digest [sha256.Size]byte) ([]byte, error), refused func() error) disk.FS {
	return &away{files, read, refused}
}

type away struct {
	disk.FS
	read    func(digest [sha256.Size]byte) ([]byte, error)
	refused func() error
}

func (a *away) Mkdir(string) error   { return a.refused() }
func (a *away) SyncDir(string) error { return a.refused() }

func (a *away) Open(path string) (disk.Reader, error) {
	var digest [sha256.Size]byte
	if _, err := hex.Decode(digest[:], []byte(filepath.Base(path))); err != nil {
		return nil, fs.ErrNotExist
	}
	data, err := a.read(digest)
	if err != nil {
		return nil, err
	}
	return &picture{bytes.NewReader(data)}, nil
}

// picture is one that was read.
type picture struct{ *bytes.Reader }

func (*picture) Close() error                 { return nil }
func (p *picture) Stat() (fs.FileInfo, error) { return info{p.Size()}, nil }

// info is that of a file which has a size and nothing else.
type info struct{ size int64 }

func (info) Name() string       { return "" }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0 }
func (info) ModTime() time.Time { return time.Time{} }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }
