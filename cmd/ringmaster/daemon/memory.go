package daemon

import (
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"

	"go.uber.org/zap"
)

// How much the heap grows between two collections: as much again as is in use, which is Go's own measure, while that is little; beyond it no more than
// roomy, or a seventh of what is in use.
const (
	roomy        = 32 << 20 // bytes
	leastPercent = 15
)

// paceCollector keeps what the heap takes near what is in use: after a flood of large answers Go's own measure would let it become twice as large. Texts
// and rings have no pointers, so that looking at them more often costs little. GOGC in the environment is taken as it is.
func paceCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	p := &pacer{percent: 100}
	runtime.SetFinalizer(&collected{p}, (*collected).turn)
}

// collected is garbage from the beginning: it is finalized after each collection, and is made anew.
type collected struct{ of *pacer }

type pacer struct{ percent int }

func (c *collected) turn() {
	inUse := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}} // of which GOGC is a part
	metrics.Read(inUse)
	if percent := percentOf(inUse[0].Value.Uint64() + inUse[1].Value.Uint64()); percent != c.of.percent {
		c.of.percent = percent
		debug.SetGCPercent(percent)
	}
	runtime.SetFinalizer(&collected{c.of}, (*collected).turn)
}

// percentOf is the GOGC where so many bytes are in use, in steps: to change it stops the world.
func percentOf(inUse uint64) int {
	if inUse <= roomy {
		return 100
	}
	return max(leastPercent, int(roomy*100/inUse)/5*5)
}

// limitMemory has the collector work harder before the control group that the daemon runs in is full: its agents are in the same group or below it, so
// half of what the group may have is the daemon's. A limit in the environment (GOMEMLIMIT) is taken as it is.
func limitMemory(log *zap.Logger) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return // no control groups here
	}
	if limit := groupLimit(string(own), "/sys/fs/cgroup"); limit < math.MaxInt64 {
		debug.SetMemoryLimit(limit / 2)
		log.Info("memory is limited by the control group", zap.Int64("group", limit), zap.Int64("daemon", limit/2))
	}
}

// MemoryLimit is the memory, in bytes, that the daemon keeps to: half of what its control group may have, or what GOMEMLIMIT says; 0: there is no limit.
func MemoryLimit() int64 {
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return limit
	}
	return 0
}

// groupLimit is the least memory, in bytes, that a process's group or one above it may have; math.MaxInt64: there is no limit. own is its
// /proc/self/cgroup; mounted is where groups are.
func groupLimit(own, mounted string) int64 {
	least := int64(math.MaxInt64)
	for line := range strings.Lines(own) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(fields) != 3 {
			continue
		}
		root, file := mounted, "memory.max" // version 2: one hierarchy, without a name
		switch {
		case fields[1] == "":
		case strings.Contains(","+fields[1]+",", ",memory,"):
			root, file = filepath.Join(mounted, "memory"), "memory.limit_in_bytes"
		default:
			continue
		}
		for dir := path.Join("/", fields[2]); ; dir = path.Dir(dir) { // in a container the path may be that outside, of which there is the end alone
			b, err := os.ReadFile(filepath.Join(root, dir, file))
			if n, parseErr := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil && parseErr == nil && n > 0 && n < unlimited {
				least = min(least, n)
			}
			if dir == "/" {
				break
			}
		}
	}
	return least
}

// unlimited is what version 1 says where there is no limit, or more.
const unlimited = 1 << 60
