package groupsync

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"sync"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/tails"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Left is what an earlier daemon had kept, and what became of it.
type Left struct {
	Logs   int     // that were kept
	Mended int     // of these, those of which the end was missing
	Bytes  int64   // that were
	Owed   int     // logs for whose end there is no room: see Syncer.Mended
	Errors []error // of files that could not be read, and logs that could not be mended: their ends may be missing
}

// Open makes a Syncer, and mends the logs whose ends an earlier daemon has kept, before anybody opens one. It fails where a later build has kept them.
// Without Store and Folder nothing is mended.
func Open(cfg Config) (*Syncer, Left, error) {
	if cfg.Apart == 0 {
		cfg.Apart = int(failpoint.Size("groupsync/apart", maxWorkers))
	}
	if cfg.Limit <= 0 {
		cfg.Limit = failpoint.Size("tails/limit", defaultLimit)
	}
	s := &Syncer{cfg: cfg, debts: newDebts(cfg), wanted: map[string]Work{}, dirty: map[string]Work{}}
	if cfg.Store == nil {
		return s, Left{}, nil
	}
	s.shared = &shared{cfg: cfg, debts: s.debts}
	m := mending{cfg: cfg, debts: s.debts, logs: map[tails.Log]Work{}, owed: map[tails.Log]bool{}}
	if err := m.run(); err != nil {
		return nil, m.left, err
	}
	if len(m.names) > 0 {
		s.shared.old = &generation{names: m.names, ends: math.MaxInt64, logs: m.logs}
		s.shared.old.leave()
	}
	if len(m.names) > 0 || s.debts.any(true) {
		s.mu.Lock() // the tick may come before the timer is known here
		defer s.mu.Unlock()
		s.timer = time.AfterFunc(syncInterval, s.tick)
	}
	return s, m.left, nil
}

// mending is one look at the files of an earlier daemon.
type mending struct {
	cfg   Config
	debts *debts
	left  Left
	names []string           // of the files
	logs  map[tails.Log]Work // in them
	owed  map[tails.Log]bool // of these, those for which there is no room
	odd   bool               // something was not as a kill leaves it
}

// mostLeft is how many files a start leaves for later: as many as one daemon has, and one that was killed before these had gone.
const mostLeft = 4

// run mends. As a rule the daemon alone has ended, and the logs have everything: then they are synced later. Where they had not, they are synced at
// once, and the files go before anything is appended: they are of no use to logs that have gone another way. They go at once, too, where many daemons were
// killed one after another, so that their files do not pile up.
func (m *mending) run() (err error) {
	if m.names, err = m.cfg.Folder.Left(); err != nil || len(m.names) == 0 {
		return err
	}
	for _, name := range m.names {
		found, err := m.cfg.Folder.Read(name)
		if errors.Is(err, tails.ErrVersion) {
			return err
		}
		if err != nil {
			m.fault(err)
			continue
		}
		for l, t := range found {
			m.mend(l, t)
		}
	}
	m.left.Logs = len(m.logs)
	if !m.odd && len(m.names) <= mostLeft {
		return nil
	}
	m.settle()
	names := m.names
	m.names = nil
	for _, name := range names {
		if m.owes(name) {
			continue
		}
		if err := m.cfg.Folder.Remove(name); err != nil {
			return err
		}
	}
	m.left.Owed = len(m.owed)
	return m.cfg.Folder.Settle()
}

// owes says that a file has lines for which there is no room, and notes them. The file stays, which harms no other log: what it has of those is in their own
// files for good by now, or they have gone another way for good.
func (m *mending) owes(name string) (owes bool) {
	if len(m.owed) == 0 {
		return false
	}
	found, err := m.cfg.Folder.Read(name)
	if err != nil {
		m.fault(err)
		return false
	}
	for l, t := range found {
		if m.owed[l] {
			m.debts.owe(l, t, true)
			owes = true
		}
	}
	if owes {
		m.debts.names = append(m.debts.names, name)
	}
	return owes
}

func (m *mending) mend(l tails.Log, t []store.Tail) {
	if !protocol.ValidSessionID(l.ID) {
		m.fault(fmt.Errorf("tails of %q, which is no session", l.ID))
		return
	}
	m.logs[l] = Work{}
	if m.owed[l] { // what stands before these lines is missing
		return
	}
	found, err := m.cfg.Store.Mend(l.ID, l.Segment, t, false)
	if m.refused(l, err) {
		return
	}
	if found.Other {
		m.fault(fmt.Errorf("session %s: segment %d is not the one whose end was kept", l.ID, l.Segment))
	}
	if found.Bytes > 0 {
		m.odd = true
		m.left.Mended++
		m.left.Bytes += found.Bytes
	}
}

// refused takes an error of a log: without room it is mended later, and else as little as now.
func (m *mending) refused(l tails.Log, err error) bool {
	switch {
	case err == nil:
		return false
	case full(err):
		m.owed[l], m.odd = true, true
	default:
		m.fault(fmt.Errorf("session %s: %w", l.ID, err))
	}
	return true
}

func (m *mending) fault(err error) {
	m.odd = true
	m.left.Errors = append(m.left.Errors, err)
}

// settle syncs the logs.
func (m *mending) settle() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	work := make(chan tails.Log)
	for range maxWorkers {
		wg.Go(func() {
			for l := range work {
				err := m.cfg.Store.Settle(l.ID, l.Segment)
				mu.Lock()
				m.refused(l, err)
				mu.Unlock()
			}
		})
	}
	for l := range maps.Keys(m.logs) {
		work <- l
	}
	close(work)
	wg.Wait()
}

// full says that a disk takes nothing more.
func full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
