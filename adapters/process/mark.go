package process

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"sync/atomic"
)

// mark is a number that all processes of an agent carry where the marker in their environment can be cleared: as their soft limit of
// file locks, which the kernel has not looked at since 2.4.25. It goes on by fork and exec and stays when a process clears its
// environment, leaves its session and loses its parents. The upper half is of the daemon's instance, the lower half of the agent. Zero: none.
type mark uint64

const maxMark mark = 1<<62 - 1

var marks atomic.Uint32

// newMark gives a mark for the agent of a marker (<instance>/…); zero without one.
func newMark(marker string) mark {
	if marker == "" {
		return 0
	}
	return instanceMark(marker) | mark(marks.Add(1))
}

// instanceMark is what the marks below a marker's first element have in common: their upper half, above zero and far below "unlimited".
func instanceMark(marker string) mark {
	instance, _, _ := strings.Cut(marker, "/")
	sum := sha256.Sum256([]byte(instance))
	return mark(binary.BigEndian.Uint32(sum[:])>>2|1<<29) << 32
}

func (m mark) instance() mark { return m &^ (1<<32 - 1) }
