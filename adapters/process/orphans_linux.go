package process

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// orphansAfter is when an interrupted turn's orphans are looked for: some agents end their commands at once, some ask them first, and only
// then what these have begun is without a parent.
var orphansAfter = []time.Duration{100 * time.Millisecond, time.Second, 5 * time.Second}

// EndOrphans ends orphans of the agent that began between two times. It needs Adopt, which brings them here. SIGKILL comes a second after SIGTERM.
// Where the agent has a control group only the last look is at the whole process table: for what has left the group.
func (c *Conn) EndOrphans(since, until time.Time) {
	first, last := tick(since), tick(until)
	for i, after := range orphansAfter {
		table := processes.take
		if c.cgroup != nil && i < len(orphansAfter)-1 {
			table = c.cgroup.members
		}
		time.AfterFunc(after, func() {
			select {
			case <-c.done:
				return
			default:
			}
			sweep(func() []found { return c.orphans(table(), first, last) }, time.Now().Add(sweepGrace))
		})
	}
}

// orphans are the agent's that began between two ticks and have only this process for a parent, with what descends from them.
func (c *Conn) orphans(table []found, first, last uint64) []found {
	return below(table, func(f found) bool {
		return f.parent == os.Getpid() && f.start >= first && f.start <= last && agents.adopted(f) && (c.knows(f) || agents.nobodys(c, f))
	})
}

// ticksPerSecond is what user space sees everywhere (sysconf(_SC_CLK_TCK)).
const ticksPerSecond = 100

// tick is a time as startTime has it.
func tick(t time.Time) uint64 {
	var up unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &up) != nil {
		return 0
	}
	return uint64(max(0, time.Duration(up.Nano())-time.Since(t)) / (time.Second / ticksPerSecond))
}
