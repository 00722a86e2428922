package daemon

import (
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"go.uber.org/zap"
)

// limitMemory has the collector work harder before the control group that the daemon runs in is full: its agents are in the same group, so
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
