// Package logfile is the file to which a daemon in the background writes its log: of bounded size, and read while it is written.
package logfile

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// maxSize is how large the file of a daemon's log gets, in bytes. Then it is put aside, under its name with ".1", and the file that was put aside
// before goes.
const maxSize = 8 << 20

// logFile is the file of a daemon's log, to which its standard error goes as well: a panic is then told where the rest is. It is written by one goroutine
// at a time.
type logFile struct {
	path string
	most int64
	*os.File
	size int64
}

// Bounded is where a daemon's log goes that would go to standard error: where that is the log of the data folder, to a file of bounded size.
func Bounded(stderr io.Writer, folder datafolder.Folder) io.Writer {
	file, ok := stderr.(*os.File)
	if !ok {
		return stderr
	}
	is, err := file.Stat()
	if err != nil {
		return stderr
	}
	if named, err := os.Stat(folder.LogFile()); err != nil || !is.Mode().IsRegular() || !os.SameFile(is, named) {
		return stderr
	}
	return &logFile{folder.LogFile(), maxSize, file, is.Size()}
}

// Write implements io.Writer. Where the file cannot be put aside, it grows on: a log that is too long is better than none.
func (f *logFile) Write(line []byte) (int, error) {
	if f.size+int64(len(line)) > f.most {
		_ = f.turn()
	}
	n, err := f.File.Write(line)
	f.size += int64(n)
	return n, err
}

// turn begins a new file in the place of this one.
func (f *logFile) turn() error {
	f.size = 0 // also after a failure: the next attempt comes when as much again was written
	if err := putAside(f.path); err != nil {
		return err
	}
	next, err := Open(f.path)
	if err != nil {
		return err
	}
	defer func() { _ = next.Close() }()
	if err := unix.Dup2(int(next.Fd()), int(f.Fd())); err != nil {
		return fmt.Errorf("log of the daemon: %w", err)
	}
	return nil
}

func putAside(path string) error {
	if err := os.Rename(path, path+".1"); err != nil {
		return fmt.Errorf("log of the daemon: %w", err)
	}
	return nil
}

// Open opens a log for what is written to its end, and makes it where it is not there.
func Open(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("log of the daemon: %w", err)
	}
	return file, nil
}
