package api

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/scenarios/figures"
)

// maxPushLatency is what 003 allows from an event to its push at a client, p99.
const maxPushLatency = 100 * time.Millisecond

// latencyTurns is how many turns are measured at most until one is within the bound.
const latencyTurns = 3

// maxOthers is how much of the processors other programs may take in a turn that is judged. A program that waits for a processor
// is late, whatever it does.
const maxOthers = 0.25

// pushFigures are those of this run; each record adds to the lane.
var pushFigures struct {
	sync.Mutex
	list []figures.Figure
}

func recordPush(t *testing.T, list ...figures.Figure) {
	t.Helper()
	if raceEnabled {
		return
	}
	pushFigures.Lock()
	defer pushFigures.Unlock()
	pushFigures.list = append(pushFigures.list, list...)
	if err := figures.Record("mcp-push", "task mcp-push", pushFigures.list...); err != nil {
		t.Fatal(err)
	}
}

// inTime measures turns until the p99 of one is within the bound. It fails where three turns are late although the machine had nothing
// else to do; the lane that records figures (task mcp-push) judges every turn, and under the race detector, which slows the same
// work down by ten and more, none is.
func inTime(t *testing.T, turn func() []time.Duration) (p50, p99 time.Duration) {
	t.Helper()
	judged := 0
	for n := 0; judged < latencyTurns && n < 3*latencyTurns; n++ {
		before := processors()
		late := turn()
		others := processors().others(before)
		slices.Sort(late)
		p50, p99 = late[len(late)/2], late[len(late)*99/100]
		t.Logf("%d pushes: p50 %v, p99 %v; other programs took %.0f %% of the processors", len(late), p50, p99, 100*others)
		if p99 < maxPushLatency {
			return p50, p99
		}
		if !raceEnabled && (others < maxOthers || os.Getenv(figures.Env) != "") {
			judged++
		}
	}
	bound := 10 * maxPushLatency // a machine that does much else
	if os.Getenv(figures.Env) != "" {
		bound = maxPushLatency
	}
	if judged == latencyTurns && p99 > bound {
		t.Errorf("p99 of each of %d turns is above %v, the last one's above %v", judged, maxPushLatency, bound)
	}
	return p50, p99
}

// usage is the processor time that was used since the machine began, in all and by this process, and the time by the clock.
type usage struct {
	all, own time.Duration
	at       time.Time
}

// processors reads the usage; where the system does not tell, nothing else runs.
func processors() (u usage) {
	var self syscall.Rusage
	stat, err := os.ReadFile("/proc/stat")
	if err != nil || syscall.Getrusage(syscall.RUSAGE_SELF, &self) != nil {
		return usage{}
	}
	const idle, iowait, steal = 3, 4, 7 // columns of the first line; those behind are part of others
	first, _, _ := strings.Cut(string(stat), "\n")
	for i, field := range strings.Fields(strings.TrimPrefix(first, "cpu")) {
		if n, err := strconv.ParseInt(field, 10, 64); err == nil && i != idle && i != iowait && i <= steal {
			u.all += time.Duration(n) * (time.Second / 100) // USER_HZ
		}
	}
	u.own = time.Duration(self.Utime.Nano() + self.Stime.Nano())
	u.at = time.Now()
	return u
}

// others is the share of all processors that other programs took since then.
func (u usage) others(since usage) float64 {
	capacity := u.at.Sub(since.at) * time.Duration(min(runtime.NumCPU(), runtime.GOMAXPROCS(0))) // the latter heeds a quota
	if capacity <= 0 {
		return 0
	}
	return float64(u.all-since.all-(u.own-since.own)) / float64(capacity)
}

func latency(name string, d time.Duration) figures.Figure {
	return figures.Figure{
		Name: name, Value: float64(d.Microseconds()) / 1000, Unit: "ms", Goal: "< 100", Missed: d >= maxPushLatency,
	}
}

// TestMCPWatchers: of twenty watchers of one session one does not read. The others get everything, in time.
// Proves: 004.D2
func TestMCPWatchers(t *testing.T) {
	const watchers, events = 20, 40
	h := newHarness(t, func(c *Config) { c.WriteTimeout = time.Hour })
	h.tree.agents["drip"] = dripping(events, 1024, 25*time.Millisecond)
	id := h.create("drip")
	list := make([]*mcpClient, watchers-1)
	for i := range list {
		list[i] = h.connect(oldEra).listening()
		list[i].watch(id)
	}
	h.stuckWatcher(id)
	turns := 0
	_, p99 := inTime(t, func() []time.Duration {
		turns++
		return pushLatency(list, [][]string{{id}}, turns)
	})
	h.awaitStuck(id, 1)
	_, pushed := h.expected(id)
	for _, c := range list {
		if got := c.until(idleAgain(turns)); !sameItems(got, pushed) {
			t.Errorf("%d of %d pushes", len(got), len(pushed))
		}
	}
	recordPush(t, latency("push p99, 19 clients beside one that does not read", p99))
}

// TestMCPPushLatency: a hundred sessions, each in a turn that says ten short messages a second, at ten clients.
// Proves: D4.2.streaming/delivery, T20
func TestMCPPushLatency(t *testing.T) {
	if raceEnabled {
		t.Skip("a thousand pushes a second, under the race detector, are more than two processors can do")
	}
	const clients, each, events = 10, 10, 20
	h := newHarness(t)
	h.tree.agents["drip"] = dripping(events, 100, 100*time.Millisecond)
	list := make([]*mcpClient, clients)
	ids := make([][]string, clients)
	for i := range list {
		list[i] = h.connect(oldEra).listening()
		for range each {
			id := h.create("drip")
			list[i].watch(id)
			ids[i] = append(ids[i], id)
		}
	}
	turns := 0
	p50, p99 := inTime(t, func() []time.Duration {
		turns++
		return pushLatency(list, ids, turns)
	})
	recordPush(t, latency("push p50, 100 sessions", p50), latency("push p99, 100 sessions", p99))
}

// pushLatency runs the n-th turn of sessions, those of ids[i] by list[i], and gives the times from events to their pushes.
func pushLatency(list []*mcpClient, ids [][]string, n int) (late []time.Duration) {
	for _, c := range list {
		c.mu.Lock()
		c.late = nil
		c.mu.Unlock()
	}
	turns := n
	for i, mine := range ids {
		for _, id := range mine {
			list[i].say(id, "", "go")
		}
		turns = n * len(mine)
	}
	for _, c := range list {
		c.until(idleAgain(turns))
		c.mu.Lock()
		late = append(late, c.late...)
		c.mu.Unlock()
	}
	return late
}

// awaitStuck waits until n pumps of a session are held up, and all others have everything.
func (h *harness) awaitStuck(id string, n int) {
	h.t.Helper()
	for begun := time.Now(); ; {
		var d resource.SessionDetail
		h.want(http.StatusOK, "GET", "/sessions/"+id, "").into(h.t, &d)
		behind := 0
		for _, r := range d.Readers {
			if r.Behind > 0 {
				behind++
			}
		}
		if behind == n {
			return
		}
		if time.Since(begun) > patience {
			h.t.Fatalf("%d readers are behind, want %d: %+v", behind, n, d.Readers)
		}
	}
}

// TestMCPStuckWatchersCostNothing: what watchers that do not read have not taken is neither kept for them nor work of the
// session's actor. The reference is a session without watchers, in the same run and turn about.
// Proves: 004.risks/memory
func TestMCPStuckWatchersCostNothing(t *testing.T) {
	const watchers, rounds, batches = 8, 10, 60
	h := newHarness(t, func(c *Config) { c.WriteTimeout = time.Hour })
	h.tree.agents["ready"] = func(a *fakeAgent, m session.AdapterMessage) {
		if _, ok := m.(started); ok {
			a.say(adapters.Ready{}, adapters.TurnBegan{})
		}
		stopped(a, m)
	}
	alone, watched := h.create("ready"), h.create("ready")
	for range watchers {
		h.stuckWatcher(watched)
	}
	h.burst(alone, batches)
	h.burst(watched, batches) // fills what the connections hold
	h.awaitStuck(watched, watchers)
	before := heap()
	size := h.size(watched)
	free, held := h.burst(alone, batches), h.burst(watched, batches)
	for n := 0; n < rounds || n < 10*rounds && 2*held > 3*free; n++ { // the shortest of each: other programs lengthen some
		free, held = min(free, h.burst(alone, batches)), min(held, h.burst(watched, batches))
	}
	h.awaitStuck(watched, watchers)
	grown, written := heap()-before, h.size(watched)-size
	ratio := float64(held) / float64(free)
	t.Logf("%v per event with %d that are stuck, %v without: %.2f×; %.1f MB were written, the heap has grown by %.1f MB",
		held, watchers, free, ratio, float64(written)/1e6, float64(grown)/1e6)
	if ratio > 1.5 {
		t.Errorf("an event takes %v with watchers that are stuck, %v without", held, free)
	}
	if bound := int64(8 << 20); grown > bound { // less than once what one of them has not taken
		t.Errorf("the heap has grown by %d bytes of %d that were not taken", grown, int64(watchers)*written)
	}
	recordPush(t,
		figures.Figure{Name: "time per event with clients that do not read, to that without", Value: ratio, Unit: "×", Goal: "≤ 1.5", Missed: ratio > 1.5},
		figures.Figure{Name: "heap for clients that do not read", Value: float64(grown) / 1e6, Unit: "MB", Goal: "≤ 8"})
}

// heap is what is alive, in bytes.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func (h *harness) size(id string) int64 { return int64(len(h.log(id, ""))) }

// burst has the agent say messages of a kilobyte, sixteen at once, and gives the actor's time for one event.
func (h *harness) burst(id string, batches int) time.Duration {
	h.t.Helper()
	ref, err := h.tree.Find(h.t.Context(), id)
	if err != nil {
		h.t.Fatal(err)
	}
	taken := func() uint64 {
		d, err := ask.Ask(h.t.Context(), ref, func(r ask.Reply[session.Description]) session.Message { return &session.Describe{Reply: r} })
		if err != nil {
			h.t.Fatal(err)
		}
		return d.Seq
	}
	agent := h.tree.agentOf(id)
	from, begin := taken(), time.Now()
	for i := range batches {
		var list []adapters.Draft
		for j := range 16 {
			list = append(list, agent.message(fmt.Sprintf("%d.%d %01000d", i, j, 0), 1)...)
		}
		agent.say(list...)
		taken() // before the next comes: the adapter's window
	}
	took := time.Since(begin)
	return took / time.Duration(taken()-from)
}
