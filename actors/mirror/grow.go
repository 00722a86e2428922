package mirror

import (
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

const growMost = 1 << 20 // bytes of lines that are shown at once, and what a row may have more

// far is how many events the ring is behind when it begins anew at Core's position instead of being fed: its readers read the log.
const far = 4000

// grow asks Core for what it has more, where somebody reads, and has the mirror begin anew where Core has another log.
func (k *keeper) grow() {
	p := k.wanted
	if k.log == nil || k.growing || p.Session == "" {
		return
	}
	newest := k.log.newest.Load()
	switch {
	case p.Epoch != k.log.epoch, p.Oldest != k.log.oldest:
		k.restart()
	case p.Head < newest: // it was told late, or Core went back and gets it again: in one epoch nothing is lost
	case p.Head == newest:
		k.rest()
	case p.Head-newest > far, len(k.readers) == 0:
		k.restart()
	default:
		k.growing = true
		l, self := k.log, k.mirror
		go func() { // ends with Core's answer, or with its time
			g := &grown{of: l, since: newest, upTo: newest}
			g.err = l.fromCore(newest, p.Head, func(s store.Stretch) bool {
				g.lines, g.upTo = append(g.lines, s.Lines...), s.Last()
				return len(g.lines) < growMost
			})
			self.own.Send(g)
		}()
	}
}

// show shows what Core has more.
func (k *keeper) show(m *grown) {
	switch {
	case k.log != m.of:
	case m.err != nil && m.upTo == m.since:
		if !isAway(m.err) {
			k.restart()
		}
		return // the owner says it again
	default:
		k.append(m.since+1, int(m.upTo-m.since), m.lines)
	}
	k.grow()
}

// rest ends the ring where the session is over, and lets those readers go that yield: the list tells them when there is more.
func (k *keeper) rest() {
	isOver := k.isOver()
	switch state := k.ring.State(); {
	case isOver && state == ring.Open:
		k.ring.Close(ring.Ended)
	case !isOver && state == ring.Ended: // it goes on, which a ring that has ended does not
		k.restart()
	case k.feeding == nil && k.allDone():
		k.restart()
	}
}
