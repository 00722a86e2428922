package groupsync

import (
	"bytes"
	"errors"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/tails"
)

// payEvery is how many ticks pass until what the disk refuses is tried again: a second.
const payEvery = 10

// debts are logs of which a file of tails has lines that their own files do not have for sure: a start has found no room for them, or their sync was refused.
// They are written anew until the disk takes them, and the files of tails stay as long.
type debts struct {
	cfg    Config
	writes sync.Mutex // held while a log is written; before mu

	mu     sync.Mutex
	names  []string // of the files
	logs   map[tails.Log]debt
	spoilt map[tails.Log]bool // a sync failed while somebody may have appended: what is kept of those lines is written anew as well
	waits  map[string]bool    // sessions whose log is open for reading only, since it is short
	mended func(id string)    // nil: nobody wants to know
	paying bool
	wait   int // ticks
}

func newDebts(cfg Config) *debts {
	return &debts{cfg: cfg, logs: map[tails.Log]debt{}, spoilt: map[tails.Log]bool{}, waits: map[string]bool{}}
}

// debt is what is owed to a log.
type debt struct {
	tails []store.Tail
	short bool // the log may lack them: nobody is to append to it before it is mended
}

// owe notes a debt. The bytes of t are copied: they are a part of a whole file's.
func (d *debts) owe(l tails.Log, t []store.Tail, short bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	owed := debt{d.logs[l].tails, d.logs[l].short || short}
	for _, x := range t {
		x.Before, x.Lines = bytes.Clone(x.Before), bytes.Clone(x.Lines)
		owed.tails = append(owed.tails, x)
	}
	d.logs[l] = owed
}

// spoils notes that a sync of a log by its name has failed. Its journal does not know of it.
func (d *debts) spoils(l tails.Log) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.spoilt[l] = true
}

// wasSpoilt says that of the lines that are to be settled some may be those of such a log, and forgets it.
func (d *debts) wasSpoilt(l tails.Log) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	was := d.spoilt[l]
	delete(d.spoilt, l)
	return was
}

// keep takes files that have what is owed; false: there are too many, and whoever has them is to keep them.
func (d *debts) keep(names []string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.logs) > 0 && len(d.names)+len(names) > mostLeft {
		return false
	}
	d.names = append(d.names, names...)
	d.remove()
	return true
}

// remove removes the files when nothing is owed. With mu held. A file that stays is mended from at the next start, which changes nothing.
func (d *debts) remove() {
	if len(d.logs) > 0 {
		return
	}
	for _, name := range d.names {
		if err := d.cfg.Folder.Remove(name); err != nil {
			d.cfg.Failed.Add(1)
		}
	}
	d.names = nil
}

// pay writes what is owed to a log, and syncs it. opening: somebody wants to append to it, and where that must wait is told when it need not any more.
func (d *debts) pay(l tails.Log, opening bool) error {
	d.writes.Lock()
	defer d.writes.Unlock()
	d.mu.Lock()
	owed, is := d.logs[l]
	d.mu.Unlock()
	if !is {
		return nil
	}
	found, err := d.cfg.Store.Mend(l.ID, l.Segment, owed.tails, true)
	if err == nil && found.Bytes > 0 {
		err = d.cfg.Store.Settle(l.ID, l.Segment)
	}
	d.mu.Lock()
	if err != nil {
		d.waits[l.ID] = d.waits[l.ID] || opening
		d.spoilt[l] = true
		d.mu.Unlock()
		return refusedBy(l, err)
	}
	delete(d.logs, l)
	d.remove()
	tell := d.mended
	if !d.waits[l.ID] || len(d.shortOf(l.ID)) > 0 || tell == nil {
		tell = func(string) {}
	} else {
		delete(d.waits, l.ID)
	}
	d.mu.Unlock()
	tell(l.ID)
	return nil
}

// refusedBy makes of an error one that says that the log takes nothing for a while.
func refusedBy(l tails.Log, err error) error {
	var write *store.WriteError
	if errors.As(err, &write) {
		return err
	}
	return &store.WriteError{Op: "mend", File: l.ID, Err: err}
}

// shortOf are the parts of a session's log that are to be mended before anybody appends to it. With mu held.
func (d *debts) shortOf(id string) (list []tails.Log) {
	for l, owed := range d.logs {
		if l.ID == id && owed.short {
			list = append(list, l)
		}
	}
	return list
}

// due says, once a tick, whether it is time to try all debts again; payAll then is to follow.
func (d *debts) due() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.wait--; d.wait > 0 || d.paying || len(d.logs) == 0 {
		return false
	}
	d.wait, d.paying = payEvery, true
	return true
}

// any says that something is owed. kept: there are files whose lines are to be settled.
func (d *debts) any(kept bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !kept && len(d.logs) == 0 {
		clear(d.spoilt)
	}
	return len(d.logs) > 0
}

// payAll tries all debts, as long as there is no end.
func (d *debts) payAll(ends func() bool) {
	d.mu.Lock()
	var list []tails.Log
	for l := range d.logs {
		list = append(list, l)
	}
	d.mu.Unlock()
	for _, l := range list {
		if ends() {
			break
		}
		_ = d.pay(l, false) // it is tried again
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paying = false
}

// Mended has a log whose end an earlier daemon had kept be whole before it is opened. An error, a *store.WriteError, says that the disk has no room for the
// end yet: the log is to be opened for reading only, and OnMended tells when it is whole.
func (s *Syncer) Mended(id string) error {
	s.debts.mu.Lock()
	list := s.debts.shortOf(id)
	s.debts.mu.Unlock()
	for _, l := range list {
		if err := s.debts.pay(l, true); err != nil {
			return err
		}
	}
	return nil
}

// OnMended has do called for each session for which Mended has failed, when its log is whole. It must not wait.
func (s *Syncer) OnMended(do func(id string)) {
	s.debts.mu.Lock()
	defer s.debts.mu.Unlock()
	s.debts.mended = do
}

func (s *Syncer) ends() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}
