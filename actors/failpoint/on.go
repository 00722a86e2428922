//go:build failpoint

package failpoint

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// On says that this is a build of the kill harness, which also holds what it believes against what it could have read.
const On = true

// Hit ends the process here when the environment says so.
func Hit(point string) {
	if due(point) {
		die()
	}
}

// Torn ends the process here when the environment says so, after a part of b went to w.
func Torn(point string, w io.Writer, b []byte) {
	if !due(point) {
		return
	}
	_, _ = w.Write(b[:rand.IntN(len(b)+1)])
	if f, ok := w.(interface{ Flush() }); ok {
		f.Flush()
	}
	die()
}

// Size is the limit that the environment gives to a name, or the real one.
func Size(name string, size int64) int64 {
	if n, is := sizes[name]; is {
		return n
	}
	return size
}

var (
	armed  string       // the point at which to die; empty: none
	left   atomic.Int64 // hits of it until then
	linger time.Duration
	later  bool     // hits count once the word behind the counters is set
	hits   []uint64 // by point, and that word; shared with the file; nil: nobody counts
	sizes  map[string]int64
)

func init() {
	if text := os.Getenv("RINGMASTER_FAILPOINT"); text != "" {
		point, rest, _ := strings.Cut(text, "#")
		times, wait, _ := strings.Cut(rest, "@")
		times, later = strings.CutPrefix(times, "+")
		n, err := strconv.ParseInt(times, 10, 64)
		d, waitErr := time.ParseDuration(wait)
		if err != nil || waitErr != nil || n < 1 || !slices.Contains(points[:], point) {
			panic("RINGMASTER_FAILPOINT: want POINT#N@WAIT, got " + text)
		}
		armed, linger = point, d
		left.Store(n)
	}
	if path := os.Getenv("RINGMASTER_FAILPOINT_HITS"); path != "" {
		count(path)
	}
	sizes = map[string]int64{}
	for text := range strings.SplitSeq(os.Getenv("RINGMASTER_FAILPOINT_SIZES"), ",") {
		if name, bytes, ok := strings.Cut(text, "="); ok {
			n, err := strconv.ParseInt(bytes, 10, 64)
			if err != nil || n < 1 {
				panic("RINGMASTER_FAILPOINT_SIZES: want NAME=BYTES, got " + text)
			}
			sizes[name] = n
		}
	}
}

// count maps the file of counters, which stays mapped until the process ends.
func count(path string) {
	const size = 8 * (len(points) + 1)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = f.Truncate(int64(size))
	}
	var b []byte
	if err == nil {
		b, err = syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	}
	if err != nil {
		panic(fmt.Sprintf("RINGMASTER_FAILPOINT_HITS: %v", err))
	}
	_ = f.Close() // the map stays
	hits = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), size/8)
}

func due(point string) bool {
	if hits != nil {
		i := slices.Index(points[:], point)
		if i < 0 {
			panic("failpoint: " + point + " is not in the list of points")
		}
		atomic.AddUint64(&hits[i], 1)
	}
	if point != armed || later && (hits == nil || atomic.LoadUint64(&hits[len(points)]) == 0) {
		return false
	}
	return left.Add(-1) == 0
}

// die ends the process as kill -9 does.
func die() {
	time.Sleep(linger)
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}
