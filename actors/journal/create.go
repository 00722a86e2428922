package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Create makes the journal of a new session: folder, first segment, epoch 1, all of it synced. The folder may exist, but
// no journal in it: then the error is fs.ErrExist. A journal whose making, or whose first append, did not come to its end does not count:
// no client was told of it, and the new one passes it over. Errors of the disk are *WriteError; the folder may then be left, and
// Create can be called again.
func Create(dir string, opt Options) (*Journal, error) {
	opt = opt.withDefaults()
	j := &Journal{log: Log{fs: opt.FS, dir: dir}, limit: opt.SegmentBytes, tail: tail{on: opt.Share}}
	if err := opt.FS.Mkdir(dir); err != nil {
		found, listErr := opt.FS.List(dir)
		if listErr != nil {
			return nil, writeError("create", dir, err)
		}
		for _, e := range found {
			if n, _, ok := parseName(e.Name); ok {
				j.ordinal = max(j.ordinal, n)
			}
		}
		if j.ordinal > 0 && !unbegun(dir, opt) {
			return nil, fmt.Errorf("journal: create %s: %w", dir, fs.ErrExist)
		}
	}
	if err := j.begin(header{epoch: 1, first: 1}); err != nil {
		return nil, err
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := opt.FS.SyncDir(parent); err != nil {
			_ = j.abandon("", err, indexName(j.ordinal), dataName(j.ordinal))
			return nil, writeError("create", parent, err)
		}
	}
	return j, nil
}

// unbegun says that the making of a journal, or its first append, did not come to its end.
func unbegun(dir string, opt Options) bool {
	info, err := Stat(dir, opt)
	if err != nil || info.Records != 1 {
		return errors.Is(err, fs.ErrNotExist)
	}
	events := false
	j, _, err := Open(dir, Options{FS: opt.FS, ReadOnly: true}, func([]byte) error {
		events = true
		return nil
	})
	if j != nil {
		err = errors.Join(err, j.Close())
	}
	return err == nil && !events
}
