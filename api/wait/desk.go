package wait

import (
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// pace is the least time between two looks of a desk at the list: of a burst of changes each session is looked at once. A wait answers that much later at
// most.
const pace = 5 * time.Millisecond

// desk hears of changes for all that wait.
type desk struct {
	listed func() *roster.Roster

	mu       sync.Mutex
	list     *roster.Roster                  // as long as somebody waits
	named    map[string]map[*waiter]struct{} // by session
	choosing map[*waiter]struct{}            // those that later sessions may match
	waiting  int
	revision uint64
	bells    *ring.Bells // of the run, which alone takes them: one of a time before would take what this one is to hear
	bell     *ring.Bell  // of the list
	heads    map[*ring.Bell]string
	wakes    map[string]wake // the bells of logs, by session
	stop     chan struct{}   // closed when nobody waits any more
	stopped  chan struct{}   // closed when its run is over
}

// wake is a bell that hangs at the head of a log.
type wake struct {
	at   *roster.Session
	bell *ring.Bell
}

func newDesk(listed func() *roster.Roster) *desk {
	return &desk{
		listed: listed, named: map[string]map[*waiter]struct{}{}, choosing: map[*waiter]struct{}{},
		heads: map[*ring.Bell]string{}, wakes: map[string]wake{},
	}
}

// add has a waiter look at its sessions, now and at every change. leave must follow.
func (d *desk) add(w *waiter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiting++; d.waiting == 1 {
		d.bells = ring.NewBells()
		d.bell, d.list = d.bells.New(), d.listed()
		d.list.Hang(d.bell) // before the look
		d.revision = d.list.Now()
		d.stop, d.stopped = make(chan struct{}), make(chan struct{})
		go d.run(d.bells, d.stop, d.stopped) // ends when nobody waits, and the last one waits for it
	}
	for id := range w.members {
		of := d.named[id]
		if of == nil {
			of = map[*waiter]struct{}{}
			d.named[id] = of
		}
		of[w] = struct{}{}
	}
	if w.selected != nil {
		d.choosing[w] = struct{}{}
		all, _, _ := d.list.Since(0)
		for _, x := range all {
			w.see(x)
		}
	}
	d.look(w)
}

// look has a waiter look at the sessions that it has.
func (d *desk) look(w *waiter) {
	for _, m := range append([]*member(nil), w.order...) {
		x := d.list.Find(m.id)
		if x == nil {
			x = roster.Missing(m.id)
		}
		w.see(x)
		d.hear(w, x)
	}
}

// hear has the head of a log ring where a waiter waits for a number.
func (d *desk) hear(w *waiter, x *roster.Session) {
	if w.until.seq == 0 || x.Gone || x.Cursor().Seq >= w.until.seq {
		return
	}
	least := w.until.seq
	for other := range d.named[x.ID] {
		if n := other.until.seq; n > x.Cursor().Seq {
			least = min(least, n)
		}
	}
	for other := range d.choosing {
		if n := other.until.seq; n > x.Cursor().Seq {
			least = min(least, n)
		}
	}
	has, ok := d.wakes[x.ID]
	if !ok {
		has.bell = d.bells.New()
		d.heads[has.bell] = x.ID
	}
	has.at = x
	d.wakes[x.ID] = has
	x.Wake(least, has.bell)
}

// leave takes a waiter away.
func (d *desk) leave(w *waiter) {
	d.mu.Lock()
	for id := range w.members {
		if of := d.named[id]; of != nil {
			if delete(of, w); len(of) == 0 {
				delete(d.named, id)
			}
		}
	}
	delete(d.choosing, w)
	var stopped chan struct{}
	if d.waiting--; d.waiting == 0 {
		d.list.Unhang(d.bell)
		for _, k := range d.wakes {
			k.at.Wake(0, nil)
		}
		clear(d.wakes)
		clear(d.heads)
		close(d.stop)
		stopped = d.stopped
	}
	d.mu.Unlock()
	if stopped != nil {
		<-stopped
	}
}

// run looks at what has changed, until nobody waits.
func (d *desk) run(bells *ring.Bells, stop, stopped chan struct{}) {
	defer close(stopped)
	timer := time.NewTimer(pace)
	defer timer.Stop()
	for {
		select {
		case <-bells.Rung():
		case <-stop:
			return
		}
		d.changed(stop)
		timer.Reset(pace)
		select {
		case <-timer.C:
		case <-stop:
			return
		}
	}
}

// changed takes the bells that were rung. The goroutine of a time before may still come here.
func (d *desk) changed(stop chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stop != stop {
		return
	}
	for _, b := range d.bells.Take(nil) {
		if id, ok := d.heads[b]; ok {
			if x := d.list.Find(id); x != nil {
				d.tell(x)
			}
		}
	}
	list, now, ok := d.list.Since(d.revision)
	d.revision = now
	if !ok { // more has gone than the list remembers
		d.lookAll()
		return
	}
	for _, x := range list {
		d.tell(x)
	}
}

// tell shows a session to those that wait for it, and to those that it may have come to match.
func (d *desk) tell(x *roster.Session) {
	for w := range d.named[x.ID] {
		w.see(x)
		d.hear(w, x)
	}
	for w := range d.choosing {
		w.see(x)
		if w.members[x.ID] != nil {
			d.hear(w, x)
		}
	}
}

// lookAll has everybody look at everything.
func (d *desk) lookAll() {
	seen := map[*waiter]struct{}{}
	for _, of := range d.named {
		for w := range of {
			seen[w] = struct{}{}
		}
	}
	all, _, _ := d.list.Since(0)
	for w := range d.choosing {
		seen[w] = struct{}{}
		for _, x := range all {
			w.see(x)
		}
	}
	for w := range seen {
		d.look(w)
	}
}

// stands gives what is closed when a wait is over, and says whether all that is waited for is on other nodes.
func (d *desk) stands(w *waiter) (done <-chan struct{}, isFar bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return w.done, w.far > 0 && w.far == len(w.order) && w.selected == nil
}

func (d *desk) hasLeft(w *waiter) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return w.hasLeft()
}

func (d *desk) answerOf(w *waiter) resource.WaitAnswer {
	d.mu.Lock()
	defer d.mu.Unlock()
	return w.answer()
}

// again has a waiter go on that waits for a prompt, which the session's log has not settled, whatever the list says.
func (d *desk) again(w *waiter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w.again(w.order[0])
	d.look(w) // it may have changed meanwhile
}

// anew has a waiter look once more, as if the log had never said that the prompt is not settled.
func (d *desk) anew(w *waiter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, m := range w.order {
		m.unproved = 0
	}
	d.look(w)
}
