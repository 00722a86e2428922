package raw

import (
	"bytes"
	"errors"
	"io/fs"
)

// Drop removes all lines of the archive from the disk, the oldest first; lines that come later have the numbers that follow, so that readers see what is
// gone, whenever the removal is interrupted. It waits until what was recorded before is written.
func (a *Archive) Drop() error {
	a.mu.Lock()
	a.begin()
	for a.running {
		a.cond.Wait()
	}
	if a.closed { // then the folder is gone, or about to go
		a.mu.Unlock()
		return nil
	}
	a.running = true // nobody else has the files
	a.mu.Unlock()
	err := a.files.drop()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.running = false
	a.begin() // what came meanwhile
	a.cond.Broadcast()
	return err
}

// drop leaves an empty tail, which has the number of the next line.
func (d *files) drop() error {
	d.close()
	d.known = false // the next line has the folder looked at
	list, left, err := scan(d.opt.FS, d.dir)
	if err != nil || len(list)+len(left) == 0 {
		return err
	}
	if len(list) > 0 {
		last := list[len(list)-1]
		next := last.first + mostRecords
		if text, err := last.read(d.opt.FS, d.dir); err == nil { // else it is damaged: its numbers must not be given again
			next = last.first + uint64(bytes.Count(text, newline))
		}
		if next > last.first {
			f, err := d.opt.FS.Create(d.path(next, plainSuffix))
			if err == nil {
				err = f.Close()
			}
			if err != nil && !errors.Is(err, fs.ErrExist) {
				return &Error{Op: "create", File: d.path(next, plainSuffix), Err: err}
			}
		} else { // an empty tail: it stays
			list = list[:len(list)-1]
		}
	}
	for _, name := range left {
		first, suffix, _ := parseName(name)
		_ = d.opt.FS.Remove(d.path(first, suffix)) // it takes room and no more
	}
	for i := range list {
		for _, suffix := range []string{plainSuffix, zstdSuffix} {
			name := d.path(list[i].first, suffix)
			if err := d.opt.FS.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return &Error{Op: "remove", File: name, Err: err}
			}
		}
	}
	return nil
}
