package groupsync

import (
	"errors"
	"fmt"
	"maps"
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
	Errors []error // of files that could not be read, and logs that could not be mended: their ends may be missing
}

// Open makes a Syncer, and mends the logs whose ends an earlier daemon has kept, before anybody opens one. It fails where they could be mended
// later: the disk is full, or a later build has kept them. Without Store and Folder nothing is mended.
func Open(cfg Config) (*Syncer, Left, error) {
	if cfg.Apart == 0 {
		cfg.Apart = int(failpoint.Size("groupsync/apart", maxWorkers))
	}
	if cfg.Limit <= 0 {
		cfg.Limit = failpoint.Size("tails/limit", defaultLimit)
	}
	s := &Syncer{cfg: cfg, wanted: map[string]Work{}, dirty: map[string]Work{}}
	if cfg.Store == nil {
		return s, Left{}, nil
	}
	s.shared = &shared{cfg: cfg}
	m := mending{cfg: cfg, logs: map[tails.Log]Work{}}
	if err := m.run(); err != nil {
		return nil, m.left, err
	}
	if len(m.names) > 0 {
		s.mu.Lock() // the tick may come before the timer is known here
		defer s.mu.Unlock()
		s.shared.old = &generation{names: m.names, logs: m.logs}
		s.shared.old.leave()
		s.timer = time.AfterFunc(syncInterval, s.tick)
	}
	return s, m.left, nil
}

// mending is one look at the files of an earlier daemon.
type mending struct {
	cfg   Config
	left  Left
	names []string           // of the files
	logs  map[tails.Log]Work // in them
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
			if err := m.mend(l, t); err != nil {
				return err
			}
		}
	}
	m.left.Logs = len(m.logs)
	if !m.odd && len(m.names) <= mostLeft {
		return nil
	}
	if err := m.settle(); err != nil {
		return err
	}
	for _, name := range m.names {
		if err := m.cfg.Folder.Remove(name); err != nil {
			return err
		}
	}
	m.names = nil
	return m.cfg.Folder.Settle()
}

func (m *mending) mend(l tails.Log, t []store.Tail) error {
	if !protocol.ValidSessionID(l.ID) {
		m.fault(fmt.Errorf("tails of %q, which is no session", l.ID))
		return nil
	}
	m.logs[l] = Work{}
	found, err := m.cfg.Store.Mend(l.ID, l.Segment, t)
	if full(err) {
		return err
	}
	if err != nil {
		m.fault(fmt.Errorf("session %s: %w", l.ID, err))
	}
	if found.Other {
		m.fault(fmt.Errorf("session %s: segment %d is not the one whose end was kept", l.ID, l.Segment))
	}
	if found.Bytes > 0 {
		m.odd = true
		m.left.Mended++
		m.left.Bytes += found.Bytes
	}
	return nil
}

func (m *mending) fault(err error) {
	m.odd = true
	m.left.Errors = append(m.left.Errors, err)
}

// settle syncs the logs.
func (m *mending) settle() error {
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	work := make(chan tails.Log)
	for range maxWorkers {
		wg.Go(func() {
			for l := range work {
				if err := m.cfg.Store.Settle(l.ID, l.Segment); err != nil {
					mu.Lock()
					if m.fault(fmt.Errorf("session %s: %w", l.ID, err)); full(err) {
						failed = err
					}
					mu.Unlock()
				}
			}
		})
	}
	for l := range maps.Keys(m.logs) {
		work <- l
	}
	close(work)
	wg.Wait()
	return failed
}

// full says that a disk takes nothing more.
func full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
