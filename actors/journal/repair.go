package journal

import (
	"errors"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// repair brings the folder into the state that Open has decided on. The order makes it safe to interrupt anywhere, since the next Open then
// comes to the same result: lines are cut before the records that show that they are torn, a hole is passed over by the header of a new
// segment before anything else is changed, and an index is replaced as a whole.
func (o *opening) repair(last *check, unused []string) error {
	l := &o.j.log
	seg := *l.last()
	o.j.clean = last.clean
	if last.clean {
		o.j.synced = seg.size
	}
	if last.hole {
		if err := o.passOver(seg); err != nil {
			return err
		}
	} else if last.data.size > seg.size {
		if err := o.cut(dataName(seg.ordinal), seg.size); err != nil {
			return err
		}
	}
	for _, r := range o.rebuilt {
		if err := o.replaceIndex(l.segments[r.segment].ordinal, r.bytes); err != nil {
			return err
		}
	}
	if size := headerSize + seg.records*recordSize; !last.hole && last.out == nil && last.index.size > size {
		if err := o.cut(indexName(seg.ordinal), size); err != nil {
			return err
		}
	}
	for _, name := range unused {
		_ = l.fs.Remove(l.path(name)) // best effort: the next Open passes over it again
	}
	return nil
}

// passOver goes on in a new segment, whose header says that what follows the hole does not count. Those bytes stay.
func (o *opening) passOver(seg segment) error {
	for _, name := range []string{dataName(seg.ordinal), indexName(seg.ordinal)} {
		if err := o.cut(name, -1); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	err := o.j.begin(header{epoch: seg.epoch, first: seg.next, prev: seg.ordinal, valid: seg.size})
	_ = o.j.closeFiles() // synced
	return err
}

// cut truncates a file and syncs it; size -1: syncs it only.
func (o *opening) cut(name string, size int64) error {
	path := o.j.log.path(name)
	f, err := o.opt.FS.Append(path)
	if err != nil {
		return writeError("repair", path, err)
	}
	if size >= 0 {
		failpoint.Hit("journal/beforeTruncate")
		err = f.Truncate(size)
		failpoint.Hit("journal/afterTruncate")
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return writeError("repair", path, err)
	}
	return nil
}

// replaceIndex writes an index beside the old one and puts it in its place.
func (o *opening) replaceIndex(n uint64, b []byte) error {
	disk := o.opt.FS
	fresh, path := o.j.log.path(ordinal(n)+freshSuffix), o.j.log.path(indexName(n))
	if err := disk.Remove(fresh); err == nil {
		err = disk.SyncDir(o.j.log.dir)
		if err != nil {
			return writeError("repair", o.j.log.dir, err)
		}
	}
	f, err := disk.Create(fresh)
	if err != nil {
		return writeError("repair", fresh, err)
	}
	if err = writeAll(f, b); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return writeError("repair", fresh, err)
	}
	failpoint.Hit("journal/beforeIndexRename")
	if err := disk.Rename(fresh, path); err != nil {
		return writeError("repair", path, err)
	}
	if err := disk.SyncDir(o.j.log.dir); err != nil {
		return writeError("repair", o.j.log.dir, err)
	}
	return nil
}
