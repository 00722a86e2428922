package raw

import (
	"errors"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
)

// Leap is by how much the numbers of a session's lines grow where another node goes on: what the one before has not told of yet has room there.
const Leap = mostRecords

// Begin makes an archive in a folder, whose parent exists, that begins with the record of a number. One that is there stays as it is. A nil FS is the operating
// system's. Errors are *Error.
func Begin(dir string, files disk.FS, first uint64) error {
	if files == nil {
		files = disk.OS()
	}
	list, _, err := scan(files, dir)
	if err != nil || len(list) > 0 {
		return err
	}
	if err := files.Mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return &Error{Op: "make", File: dir, Err: err}
	}
	p := place{files, dir}
	if err := p.hold(&segment{first: first, suffix: packSuffix}); err != nil {
		return err
	}
	if err := files.SyncDir(dir); err != nil {
		return &Error{Op: "sync", File: dir, Err: err}
	}
	return nil
}
