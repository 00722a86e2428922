package process

import (
	"os"
	"slices"
	"sync"
	"time"
)

// How often the processes below an agent that speaks are looked at: at least every watchSeldom, however long a look takes.
const (
	watchEvery  = time.Second
	watchSeldom = 5 * time.Second
)

// kin are the processes that were seen below an agent while their parents lived. An orphan has another parent by now, and may have
// changed all that it could change about itself.
type kin struct {
	mu   sync.Mutex
	seen map[id]bool
}

// has says that a process was seen below the agent.
func (k *kin) has(f found) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.seen[f.id()]
}

// note remembers the live ones among an agent's processes, and forgets the others. own are those of the table that say whose they are.
func (k *kin) note(t *families, own []found) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range k.seen {
		if f, ok := t.live[i]; ok {
			own = append(own, f)
		}
	}
	k.seen = map[id]bool{}
	for _, f := range descend(t.children, own) {
		k.seen[f.id()] = true
	}
}

// below are the processes of a table that match, and all that descend from these; this process itself is none of them.
func below(table []found, match func(found) bool) []found {
	children := map[int][]found{}
	var matching []found
	for _, f := range table {
		children[f.parent] = append(children[f.parent], f)
		if match(f) {
			matching = append(matching, f)
		}
	}
	return descend(children, matching)
}

// descend gives these processes and all below them, each once.
func descend(children map[int][]found, from []found) (out []found) {
	taken := map[int]bool{os.Getpid(): true, 0: true, 1: true}
	take := func(list []found) {
		for _, f := range list {
			if !taken[f.pid] {
				taken[f.pid] = true
				out = append(out, f)
			}
		}
	}
	take(from)
	for done := 0; done < len(out); { // take makes it longer
		take(children[out[done].pid])
		done++
	}
	return out
}

// ancestryTries bounds how often an ancestry is followed that changes meanwhile.
const ancestryTries = 10

// OfAgent says whether a process is an agent, or one that an agent has begun, however many began each other between and whatever it
// has cleared: it descends from this process, or carries what agents carry. A process that is gone, and one that cannot be looked
// at, counts as an agent's. Pid 0 is that of a process that cannot be seen from here. It takes some reads of /proc and may be called
// from any goroutine. Where agents run but Adopt was not called, and on systems other than Linux, an orphan that has cleared all is
// not known.
func OfAgent(pid int) bool {
	self := os.Getpid()
	if pid == self {
		return false
	}
	f, ok := look(pid)
	if !ok || f.marker != "" || f.cgroup != "" || agents.marked(f) || agents.saw(f) {
		return true
	}
	for range ancestryTries {
		descends, whole := descent(f, self)
		if whole {
			return descends
		}
		if f, ok = look(pid); !ok {
			return true
		}
	}
	return true
}

// descent follows the parents of a process. One that ended on the way has left its child to another one: whole is false.
func descent(f found, self int) (descends, whole bool) {
	var walked []id
	for f.parent > 0 {
		if f.parent == self {
			return true, true
		}
		if slices.Contains(walked, f.id()) {
			return false, false
		}
		walked = append(walked, f.id())
		child := f
		var ok bool
		if f, ok = ancestor(f.parent); !ok {
			return false, false
		}
		if now, ok := ancestor(child.pid); !ok || now.parent != f.pid || now.start != child.start {
			return false, false
		}
	}
	return false, true
}
