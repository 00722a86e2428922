package disktest

import (
	"io"
	"io/fs"
	"time"
)

// handle is an open file. It stays with the file when that is renamed or removed.
type handle struct {
	disk   *Disk
	name   string // when it was opened
	node   int
	at     int64
	closed bool
}

func (h *handle) usable() error {
	if h.closed {
		return fs.ErrClosed
	}
	return nil
}

func (h *handle) Write(b []byte) (int, error) {
	op := Op{Kind: "write", Name: h.name, node: h.node, Data: append([]byte(nil), b...)}
	before := h.size()
	if err := h.disk.do(op, h.usable); err != nil {
		return int(h.size() - before), err
	}
	return len(b), nil
}

func (h *handle) WriteAt(b []byte, at int64) (int, error) {
	op := Op{Kind: "patch", Name: h.name, node: h.node, Size: at, Data: append([]byte(nil), b...)}
	if err := h.disk.do(op, h.usable); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (h *handle) Sync() error {
	return h.disk.do(Op{Kind: "sync", Name: h.name, node: h.node}, h.usable)
}

func (h *handle) Truncate(size int64) error {
	return h.disk.do(Op{Kind: "truncate", Name: h.name, node: h.node, Size: size}, h.usable)
}

func (h *handle) size() int64 {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	return int64(len(h.disk.now.nodes[h.node].bytes))
}

func (h *handle) ReadAt(b []byte, at int64) (int, error) {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if h.closed {
		return 0, fs.ErrClosed
	}
	have := h.disk.now.nodes[h.node].bytes
	if at >= int64(len(have)) {
		return 0, io.EOF
	}
	n := copy(b, have[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (h *handle) Read(b []byte) (int, error) {
	n, err := h.ReadAt(b, h.at)
	h.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

func (h *handle) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart {
		return 0, fs.ErrInvalid
	}
	h.at = offset
	return offset, nil
}

func (h *handle) Close() error {
	h.disk.mu.Lock()
	defer h.disk.mu.Unlock()
	if h.closed {
		return fs.ErrClosed
	}
	h.closed = true
	h.disk.open--
	return nil
}

func (h *handle) Stat() (fs.FileInfo, error) { return info{h.name, h.size()}, nil }

type info struct {
	name string
	size int64
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return 0o600 }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }
