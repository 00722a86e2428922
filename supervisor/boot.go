package supervisor

import (
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// read finds the sessions of the data folder without reading a journal: session.json says what a list shows, and the
// journal's last index record whether it was closed in order.
func (s *state) read() error {
	entries, err := os.ReadDir(s.data.sessions())
	if err != nil {
		return unusable(s.data.root, err)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	names := make(chan string)
	for range max(2, runtime.GOMAXPROCS(0)) { // end with names
		wg.Go(func() {
			for name := range names {
				if x, rebooted := s.readSession(name); x != nil {
					mu.Lock()
					s.members[name] = x
					s.rebooted[name] = rebooted
					mu.Unlock()
				}
			}
		})
	}
	for _, e := range entries {
		switch {
		case strings.HasSuffix(e.Name(), journal.RemovedSuffix): // a removal that did not finish
			if err := os.RemoveAll(s.data.session(e.Name())); err != nil {
				s.cfg.Log.Warn("remove session", zap.Error(err))
			}
		case e.IsDir() && protocol.ValidSessionID(e.Name()):
			names <- e.Name()
		}
	}
	close(names)
	wg.Wait()
	s.health.sessions.Store(int64(len(s.members)))
	return nil
}

func (s *state) readSession(id string) (x *member, rebooted bool) {
	rec, err := readRecord(s.data.record(id))
	info, statErr := journal.Stat(s.data.session(id), journal.Options{FS: s.cfg.Files})
	if statErr != nil && err != nil {
		return nil, false // neither: a folder that a crash left while it was made
	}
	if err != nil || rec.Summary.ID != id {
		if err != nil && !os.IsNotExist(err) && !isSyntax(err) {
			s.cfg.Log.Warn("session.json", zap.String("session", id), zap.Error(err))
		}
		rec = record{Open: true, Summary: session.Summary{ID: id, Created: at(info.Time), Updated: at(info.Time), Epoch: 1}}
	}
	unclean := statErr != nil || !info.Clean
	x = &member{summary: rec.Summary, open: rec.Open || unclean}
	return x, unclean && rec.Boot != "" && rec.Boot != s.boot
}

func isSyntax(err error) bool {
	_, ok := err.(*fs.PathError) //nolint:errorlint // os.ReadFile returns it unwrapped
	return !ok
}

// recoverOpen starts the actors of the sessions that were at work when the earlier daemon ended, or that have prompts
// waiting: what is open is closed, agents are resumed.
func (s *state) recoverOpen() {
	n := 0
	for _, x := range s.members {
		if x.open || x.summary.Status.QueuedPrompts > 0 && !x.summary.Status.State.Ended() {
			n++
			s.activate(x, "daemon restarted")
		}
	}
	if n > 0 {
		s.cfg.Log.Info("recovering sessions", zap.Int("count", n))
	}
}

func at(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
