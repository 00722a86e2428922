package raw

import "github.com/ringmaster-agents/ringmaster/actors/failpoint"

// Drop removes all lines of the archive from the disk, the oldest first; lines that come later have the numbers that follow, so that readers see what is
// gone, whenever the removal is interrupted; where a loss of power comes before the first removal and takes records, it takes their numbers, too. It
// waits until what was recorded before is written.
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
	err := drop(&a.files)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.running = false
	if a.begin(); !a.running { // what came meanwhile
		a.watch()
	}
	a.cond.Broadcast()
	return err
}

// drop leaves an empty pack, which has the number of the next record.
func drop(d *files) error {
	d.close()
	d.settle() // nobody else has a finished pack
	list, left, err := scan(d.opt.FS, d.dir)
	if err != nil || len(list)+len(left) == 0 {
		return err
	}
	d.known = false // the next line has the folder looked at
	if err := d.look(); err != nil {
		return err
	}
	if list, _, err = scan(d.opt.FS, d.dir); err != nil || len(list) == 0 { // without what the look has taken away
		return err
	}
	stays := segment{first: d.next, suffix: packSuffix}
	if err := d.hold(&stays); err != nil {
		return err
	}
	if err := d.opt.FS.SyncDir(d.dir); err != nil { // or a loss of power could take its name, and those of all others
		return &Error{Op: "sync", File: d.dir, Err: err}
	}
	for i := range list {
		if s := &list[i]; s.first == stays.first && s.suffix == stays.suffix {
			continue
		}
		if err := d.remove(&list[i]); err != nil {
			return &Error{Op: "remove", File: d.path(&list[i]), Err: err}
		}
		failpoint.Hit("raw/midDrop")
	}
	return nil
}
