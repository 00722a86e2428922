package process

import (
	"fmt"
	"os/exec"
	"strings"
	"sync"
)

// cgroupPrefix begins the name of the control group in which those of an instance's agents are; the instance's mark follows.
const cgroupPrefix = "ringmaster-"

// cgroupName is the name of an instance's group.
func cgroupName(instance mark) string {
	return fmt.Sprintf("%s%08x", cgroupPrefix, uint64(instance>>32))
}

// UseCgroups has each agent begin in a control group of its own where the system lets this process make groups below its own one (Linux, cgroup v2,
// delegated): what an agent has begun is known by its group then, whatever it has changed about itself. No agent fails to start by it. It is for programs
// that have called Adopt. release removes the groups, and ends what is left in them.
func UseCgroups() (release func()) {
	groups := findCgroups()
	agents.mu.Lock()
	defer agents.mu.Unlock()
	if agents.grouped++; agents.grouped == 1 {
		agents.cgroups = groups
	}
	return sync.OnceFunc(agents.ungroup)
}

func (h *household) ungroup() {
	h.mu.Lock()
	groups := h.cgroups
	if h.grouped--; h.grouped > 0 {
		groups = nil
	} else {
		h.cgroups = nil
	}
	h.mu.Unlock()
	groups.removeAll()
}

// groups are those that agents begin in; nil: they begin in none.
func (h *household) groups() *cgroups {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.cgroups
}

// born is an agent that has begun.
type born struct {
	cmd    *exec.Cmd
	marker string
	mark   mark
	cgroup *cgroup // nil: it is in none of its own
}

// bear begins an agent in a group of its own, and in none where that is refused.
func (h *household) bear(marker string, command func() *exec.Cmd) (born, error) {
	groups := h.groups()
	b := born{command(), marker, h.newMark(marker), groups.add(marker)}
	err := b.cgroup.begin(b.cmd, func() error { return h.begin(b.cmd, b.mark) })
	if err == nil || b.cgroup == nil {
		return b, err
	}
	b.cgroup.end()
	b.cmd, b.cgroup = command(), nil
	without := h.begin(b.cmd, b.mark)
	if without == nil {
		groups.blame(err)
	}
	return b, without
}

// carries says that a process has what all agents of an instance have.
func (f found) carries(instance mark) bool {
	return f.mark.instance() == instance || f.cgroup != "" && strings.Contains(f.cgroup+"/", "/"+cgroupName(instance)+"/")
}
