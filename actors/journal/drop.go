package journal

import (
	"errors"
	"io/fs"
	"path/filepath"
	"sort"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// DropPoint is the first event of the oldest segment that is to stay, so that those from there on have at most so many bytes; 0: all are to stay, or the
// last one alone is left.
func (j *Journal) DropPoint(most int64) (seq uint64) {
	j.mu.Lock()
	defer j.mu.Unlock()
	list, size := j.log.segments, j.log.Bytes()
	for len(list) > 1 && size > most {
		size -= list[0].size
		list = list[1:]
		seq = list[0].first
	}
	return seq
}

// DropBefore removes the segments of which every event is older than seq, oldest first, never the last one. Readers of
// dropped events get a *GoneError from then on, also a reader that is under way and has not yet opened the dropped segment.
func (j *Journal) DropBefore(seq uint64) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed || j.readOnly != nil {
		return j.refusal("drop")
	}
	if !j.log.drop(seq) {
		return nil
	}
	oldest := j.log.segments[0].ordinal
	found, err := j.log.fs.List(j.log.dir)
	if err != nil {
		return writeError("drop", j.log.dir, err)
	}
	for _, name := range droppable(found, oldest) {
		failpoint.Hit("journal/midDrop")
		if err := j.log.fs.Remove(j.log.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return writeError("drop", j.log.path(name), err)
		}
	}
	if err := j.log.fs.SyncDir(j.log.dir); err != nil {
		return writeError("drop", j.log.dir, err)
	}
	return nil
}

// droppable names the files of all segments before oldest, also of those that Recover passed over or that an earlier drop
// left, in the order in which they go: the lowest segment first, and its lines before its index, so that an index without
// lines before all others tells of a drop that was interrupted.
func droppable(found []disk.Entry, oldest uint64) []string {
	type file struct {
		ordinal uint64
		name    string
		lines   bool
	}
	var files []file
	for _, e := range found {
		if n, suffix, ok := parseName(e.Name); ok && n < oldest {
			files = append(files, file{n, e.Name, suffix == dataSuffix})
		}
	}
	sort.Slice(files, func(a, b int) bool {
		x, y := files[a], files[b]
		return x.ordinal < y.ordinal || x.ordinal == y.ordinal && x.lines && !y.lines
	})
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.name
	}
	return names
}

// RemovedSuffix ends the name of a folder that Remove is removing. At a start such folders are no sessions; Remove of the
// original name finishes their removal.
const RemovedSuffix = ".removed"

// Remove removes a session's folder with everything in it, and what was set aside of the session. The journal in it must be closed. Remove can be repeated: a
// folder that is gone is no error.
func Remove(dir string, opt Options) error {
	return remove(opt.withDefaults().FS, dir+AsideSuffix, dir) // the session last: while it is there, its removal can be asked for again
}

// remove removes folders that lie beside each other.
func remove(files disk.FS, dirs ...string) error {
	for _, dir := range dirs {
		gone := dir + RemovedSuffix
		if err := files.RemoveAll(gone); err != nil { // of an earlier Remove that did not finish
			return writeError("remove", gone, err)
		}
		if err := files.Rename(dir, gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return writeError("remove", dir, err)
		}
	}
	failpoint.Hit("journal/midRemove")
	if err := files.SyncDir(filepath.Dir(dirs[0])); err != nil {
		return writeError("remove", dirs[0], err)
	}
	for _, dir := range dirs {
		if err := files.RemoveAll(dir + RemovedSuffix); err != nil {
			return writeError("remove", dir+RemovedSuffix, err)
		}
	}
	return nil
}
