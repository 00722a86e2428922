package process

import (
	"maps"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// agents are the agents of this process that are alive, and what else it has begun.
var agents = &household{alive: map[*Conn]bool{}, own: map[int]bool{}, instances: map[mark]bool{}}

// household keeps the processes apart that a daemon has: agents, commands of its own, and orphans of agents that the system made its
// children.
type household struct {
	beginning sync.RWMutex // held for reading while a process is begun, which nobody knows yet
	bearing   sync.RWMutex // held while one is begun that is marked, and for reading while one is that is not

	mu        sync.Mutex
	alive     map[*Conn]bool
	own       map[int]bool  // pids of what this package has begun and not waited for yet
	instances map[mark]bool // upper halves of the marks that were given
	before    map[id]bool   // children that were there before Adopt: whoever began this program began them
	adopts    int           // calls of Adopt that are not given back
	stop      func()        // ends the reaper; nil: nothing is adopted
	nursery   *nursery      // where agents are begun; nil: wherever
	cgroups   *cgroups      // in which agents are begun; nil: in none
	grouped   int           // calls of UseCgroups that are not given back

	watching atomic.Bool  // a look at who descends from whom is due
	took     atomic.Int64 // how long the last one took, in ns
}

// Run is cmd.Run for the daemon's own commands, which are not taken for orphans of agents.
func Run(cmd *exec.Cmd) error {
	if err := agents.begin(cmd, 0); err != nil {
		return err
	}
	defer agents.ended(cmd.Process.Pid)
	return cmd.Wait()
}

// newMark gives the mark of the agent of a marker. A program that has not called Adopt may begin processes by other means as well, which could be
// born with the mark of an agent that is begun beside them: there agents have none.
func (h *household) newMark(marker string) mark {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.adopts == 0 {
		return 0
	}
	return newMark(marker)
}

// begin starts a command of the daemon's own, or an agent with its mark.
func (h *household) begin(cmd *exec.Cmd, m mark) error {
	h.beginning.RLock()
	defer h.beginning.RUnlock()
	err := h.start(cmd, m)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.own[cmd.Process.Pid] = true
	return nil
}

func (h *household) start(cmd *exec.Cmd, m mark) error {
	if m == 0 {
		h.bearing.RLock()
		defer h.bearing.RUnlock()
	} else { // one at a time, as the system's fork is anyway
		h.bearing.Lock()
		defer h.bearing.Unlock()
	}
	start := func() error {
		defer undisturbed()()
		defer m.bear()()
		return cmd.Start()
	}
	if m == 0 {
		return start()
	}
	h.mu.Lock()
	n := h.nursery
	h.mu.Unlock()
	return n.begin(cmd, start)
}

// ended forgets a command that was waited for.
func (h *household) ended(pid int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.own, pid)
}

// Adopt makes this process the one that orphans of its agents come to, where the system can do that (Linux), so that none can
// leave the daemon, and reaps them; agents get their mark from then on. It is for programs that begin children with this package only: others may be
// ended. release ends what was adopted, and the adopting; children that were there before are left alone.
func Adopt() (release func()) {
	agents.mu.Lock()
	defer agents.mu.Unlock()
	agents.adopts++
	if agents.adopts == 1 {
		agents.before = map[id]bool{}
		for _, f := range lineage() {
			if f.parent == os.Getpid() && !agents.own[f.pid] {
				agents.before[f.id()] = true
			}
		}
		agents.stop, agents.nursery = agents.adopt(), newNursery()
	}
	return sync.OnceFunc(agents.release)
}

func (h *household) release() {
	h.mu.Lock()
	h.adopts--
	last, stop := h.adopts == 0, h.stop
	if last {
		h.nursery.end()
		h.nursery = nil
	}
	h.mu.Unlock()
	if !last || stop == nil {
		return
	}
	sweep(func() []found { return below(processes.take(), h.adopted) }, time.Now().Add(sweepGrace))
	stop()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.adopts == 0 {
		h.stop = nil
	}
}

// adopted says that a process is a child that this process has not begun. The first process of a machine or container has
// everybody's orphans: there only a mark tells, or a control group.
func (h *household) adopted(f found) bool {
	if f.parent != os.Getpid() {
		return false
	}
	h.settle()
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stop != nil && !h.own[f.pid] && !h.before[f.id()] && (f.parent != 1 || h.ours(f))
}

// settle waits until all that is being begun is known.
func (h *household) settle() {
	h.beginning.Lock()
	h.beginning.Unlock() //nolint:gocritic,staticcheck // nothing is to be done in it
}

// enter counts an agent in.
func (h *household) enter(c *Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.alive[c] = true
	if c.mark != 0 {
		h.instances[c.mark.instance()] = true
	}
}

// leave counts an agent out of which nothing is left.
func (h *household) leave(c *Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.alive, c)
	delete(h.own, c.id.PID)
}

// marked says that a process has what all agents have that this process has begun.
func (h *household) marked(f found) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.ours(f)
}

// ours is marked with mu held.
func (h *household) ours(f found) bool {
	for instance := range h.instances {
		if f.carries(instance) {
			return true
		}
	}
	return false
}

// saw says that a process was seen below an agent.
func (h *household) saw(f found) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.alive {
		if c.kin.has(f) {
			return true
		}
	}
	return false
}

// nobodys says that an orphan tells nothing of whom it came from, and that it can only have come from this agent: no other one was
// alive when it began.
func (h *household) nobodys(c *Conn, f found) bool {
	if f.start < c.id.StartTime || h.marked(f) || !h.adopted(f) {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for other := range h.alive {
		if other != c && (other.id.StartTime <= f.start || other.knows(f)) {
			return false
		}
	}
	return true
}

// heard has those looked at soon who descend from agents: one of them has said something.
func (h *household) heard() {
	if !h.watching.Load() && h.watching.CompareAndSwap(false, true) {
		time.AfterFunc(watchAfter(time.Duration(h.took.Load())), h.watch)
	}
}

// watch notes who descends from which agent.
func (h *household) watch() {
	h.mu.Lock()
	h.watching.Store(false) // what is said from now on is looked at again
	alive := slices.Collect(maps.Keys(h.alive))
	h.mu.Unlock()
	if len(alive) == 0 {
		return
	}
	began := time.Now()
	t := familiesOf(lineage())
	for _, c := range alive {
		c.kin.note(t, t.of(c))
	}
	h.took.Store(int64(time.Since(began)))
}

// watchAfter is when the next look is, after one that took so long: it reads the whole process table, and takes at most a hundredth of a core where
// many processes run.
func watchAfter(took time.Duration) time.Duration {
	return min(max(watchEvery, 100*took), watchSeldom)
}
