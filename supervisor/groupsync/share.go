package groupsync

import (
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/tails"
)

const (
	defaultLimit = 32 << 20 // bytes of a file of tails
	maxAge       = 600      // ticks until the next file begins: a minute
	leastLate    = 2        // journals a tick that are synced because a file is to go
	rest         = 50       // ticks for which nothing is shared after a file has failed
)

// shared is the lines of many journals that one sync has made safe. There are two generations of files: the newest takes lines, and of the one before it the
// journals are synced one after another, so that its files can go before the newest is full.
type shared struct {
	cfg   Config
	debts *debts

	mu    sync.Mutex // held while files of tails are written and removed, but not while journals are synced
	now   *generation
	old   *generation // nil: all that was kept before now is synced
	pause int         // ticks
}

// generation is files, and the logs that are to be synced before these go.
type generation struct {
	names []string
	ends  int64       // bytes that count of the file; of an earlier daemon's all do
	file  *tails.File // nil: it takes nothing more
	logs  map[tails.Log]Work
	queue []tails.Log // of logs, those that no worker has yet
	age   int         // ticks
	owed  bool        // the files have lines that the disk refuses in their own

	reading sync.Mutex
	kept    map[tails.Log][]store.Tail // what the files have, once that was asked for
}

// kept is a log that a worker syncs because a generation is to go. Work may be empty: the log is an earlier daemon's.
type kept struct {
	log tails.Log
	Work
}

// kept is the work as a generation has it, for up to two minutes: the session's actor may be gone long before.
func (w Work) kept() Work {
	w.To = w.To.Loose()
	return w
}

// tick makes the lines of dirty journals safe, and says which of these must be synced by themselves, which others are to be synced by and by, and
// whether there will be more of these although nothing is written.
func (h *shared) tick(dirty map[string]Work) (apart map[string]Work, late []kept, more bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.turn() // the older generation may have gone since the last tick
	var added int64
	if h.pause > 0 {
		h.pause--
		apart = dirty
	} else if len(dirty) <= max(0, h.cfg.Apart) || h.full() && h.old != nil {
		apart = dirty
	} else {
		apart, added = h.share(dirty)
	}
	if h.now != nil {
		h.now.age++
		h.turn()
	}
	return apart, h.due(added), h.now != nil || h.old != nil
}

// turn makes the newest generation the older one, where it takes no more and the one before it has gone.
func (h *shared) turn() {
	if h.now != nil && h.old == nil && (h.full() || h.now.age >= maxAge) {
		h.old, h.now = h.now, nil
		h.old.leave()
	}
}

// full: the newest generation takes nothing more.
func (h *shared) full() bool {
	return h.now != nil && (h.now.file == nil || h.now.file.Size() >= h.cfg.Limit)
}

// share puts the new lines of journals into the newest file.
func (h *shared) share(dirty map[string]Work) (apart map[string]Work, added int64) {
	apart = map[string]Work{}
	if h.now == nil {
		file, err := h.cfg.Folder.Begin()
		if err != nil {
			h.cfg.Failed.Add(1)
			h.pause = rest
			return dirty, 0
		}
		h.now = &generation{names: []string{file.Name()}, file: file, logs: map[tails.Log]Work{}}
	}
	g, before, taken := h.now, h.now.file.Size(), false
	for id, w := range dirty {
		sharer, is := w.Journal.(store.Sharer)
		if !is {
			apart[id] = w
			continue
		}
		t, ok := sharer.Tail()
		if !ok {
			apart[id] = w
			continue
		}
		if len(t.Lines) == 0 {
			continue // synced meanwhile
		}
		g.file.Add(id, &t)
		g.logs[tails.Log{ID: id, Segment: t.Segment}] = w.kept()
		taken = true
	}
	if !taken {
		return apart, 0
	}
	if err := g.file.Commit(); err != nil { // nothing of it counts, and the file takes nothing more
		h.cfg.Failed.Add(1)
		h.pause = rest
		g.leave()
		return dirty, 0
	}
	return apart, g.file.Size() - before
}

// leave: the generation takes nothing more, and its journals are to be synced.
func (g *generation) leave() {
	if g.file != nil {
		g.ends = g.file.Kept()
		_ = g.file.Close() // synced, or given up
		g.file = nil
	}
	g.queue = g.queue[:0]
	for l := range g.logs {
		g.queue = append(g.queue, l)
	}
}

// due are the journals that are synced next because the older generation is to go: so many that it has gone when the newest is full. added is what
// this tick has added to that.
func (h *shared) due(added int64) (late []kept) {
	if h.old == nil {
		return nil
	}
	n, left := leastLate, len(h.old.queue)
	if h.now != nil && h.now.file != nil {
		room := max(h.cfg.Limit-h.now.file.Size(), 1)
		n = max(n, int(min(int64(left), int64(left)*added/room+1)))
	}
	if h.pause > 0 {
		n = left // a disk that refuses a file is perhaps full, and a file that goes makes room
	}
	n = min(n, left)
	for _, l := range h.old.queue[left-n:] {
		late = append(late, kept{l, h.old.logs[l]})
	}
	h.old.queue = h.old.queue[:left-n]
	if len(h.old.logs) == 0 {
		h.drop()
	}
	return late
}

// settle syncs a log whose lines are kept, and removes the generation with the last one.
func (s *Syncer) settle(k kept) {
	failpoint.Hit("groupsync/beforeSettle")
	if !s.sound(k) || s.debts.wasSpoilt(k.log) {
		s.anew(k.log)
	}
	s.shared.settled(k.log)
}

// sound syncs a log, and says whether all its lines that are kept are safe in its own file now. A sync says so only where none before it was refused: then
// the journal has failed, or goes on in another segment.
func (s *Syncer) sound(k kept) bool {
	if k.Journal == nil { // an earlier daemon's
		err := s.cfg.Store.Settle(k.log.ID, k.log.Segment)
		if err != nil {
			s.cfg.Failed.Add(1)
			s.debts.spoils(k.log)
		}
		return err == nil
	}
	err := k.sync(s.cfg.Failed)
	return (err == nil || k.Journal.Settled() > 0) && k.Journal.Place().Segment == k.log.Segment
}

// anew writes the lines that are kept of a log into its own file once more. Where the disk refuses that too, their file stays.
func (s *Syncer) anew(l tails.Log) {
	t, err := s.shared.keptOf(l)
	if err != nil { // then only the log has them
		s.cfg.Failed.Add(1)
		return
	}
	s.debts.owe(l, t, false)
	if err := s.debts.pay(l, false); err != nil {
		s.cfg.Failed.Add(1)
		s.shared.owes()
	}
}

// keptOf gives what the older generation has of a log that is not settled. It is read once for all logs, which are many where a disk is full. Lines that
// the disk has refused to keep are not among it: while they are written over a log that has them, nothing else would.
func (h *shared) keptOf(l tails.Log) ([]store.Tail, error) {
	h.mu.Lock()
	g := h.old
	h.mu.Unlock()
	g.reading.Lock()
	defer g.reading.Unlock()
	if g.kept == nil {
		all := map[tails.Log][]store.Tail{}
		for _, name := range g.names {
			found, err := h.cfg.Folder.ReadTo(name, g.ends)
			if err != nil {
				return nil, err
			}
			for l, t := range found {
				all[l] = append(all[l], t...)
			}
		}
		g.kept = all
	}
	return g.kept[l], nil
}

func (h *shared) owes() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.old.owed = true
}

func (h *shared) settled(l tails.Log) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.old == nil {
		return
	}
	delete(h.old.logs, l)
	if len(h.old.logs) == 0 {
		h.drop()
	}
}

// drop removes the older generation. With mu held. A file that stays is mended from at the next start, which changes nothing.
func (h *shared) drop() {
	if h.old.owed {
		if h.debts.keep(h.old.names) { // else it is asked again at the next tick
			h.old = nil
		}
		return
	}
	for _, name := range h.old.names {
		if err := h.cfg.Folder.Remove(name); err != nil {
			h.cfg.Failed.Add(1)
		}
	}
	h.old = nil
}

// close removes the files whose journals were all closed in order, which has synced them. Others are for the next start.
func (h *shared) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, g := range []*generation{h.old, h.now} {
		if g == nil {
			continue
		}
		if g.file != nil {
			_ = g.file.Close()
		}
		for l, w := range g.logs {
			if w.Journal != nil && w.Journal.Settled() > 0 && w.Journal.Place().Segment == l.Segment {
				delete(g.logs, l)
			}
		}
		if h.old = g; len(g.logs) == 0 {
			h.drop()
		}
	}
	h.now, h.old = nil, nil
}
