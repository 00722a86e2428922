package clock

import (
	"math/rand/v2"
	"sync"
	"time"
	"unsafe"
)

// Clock is set anew at every look, up to ten years away. What measures durations goes on undisturbed, as it does where an operator
// or a time server sets the clock.
type Clock struct {
	mu    sync.Mutex
	r     *rand.Rand
	looks int
}

// New makes a clock.
func New(seed uint64) *Clock { return &Clock{r: rand.New(rand.NewPCG(seed, 2))} }

const tenYears = 10 * 365 * 24 * 3600 // seconds

// Now looks at the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	return set(time.Now(), c.r.Int64N(2*tenYears)-tenYears)
}

// Looks is how often the clock was looked at, and set.
func (c *Clock) Looks() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.looks
}

// Set gives a time as a clock says it that was set by so much, in whole seconds.
func Set(t time.Time, by time.Duration) time.Time { return set(t, int64(by/time.Second)) }

// set gives the time as a clock says it that was set by so many seconds: it differs in what it shows, and not in what measures
// durations. Package time has no way to say so; a bubble's time has no such part at all.
func set(t time.Time, seconds int64) time.Time {
	const shows = 1 << 63                     // seconds since 1885 and nanoseconds; what measures durations is in the second word
	words := (*[2]uint64)(unsafe.Pointer(&t)) //nolint:gosec // TestSet sees whether the layout is still this one
	measured := t.Sub(time.Unix(0, 0))
	words[0] = shows | uint64(t.Unix()+seconds-year1885)<<30 | uint64(t.Nanosecond())
	words[1] = uint64(measured)
	return t
}

var year1885 = time.Date(1885, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
