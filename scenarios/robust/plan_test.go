package robust

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
)

// kill is one end of the daemon.
type kill struct {
	point string        // at a fault point; empty: at a random moment
	first string        // point at which the life before must end, so that there is something to come across; empty: none
	lose  string        // file that is taken away before, as it can be made anew; SESSION stands for a session
	after time.Duration // of a random moment: since the start, or since the daemon runs
	boot  bool          // since the start
	term  bool          // not killed: ended with SIGTERM
	tries int
}

func (k kill) String() string {
	switch {
	case k.point != "":
		return k.point
	case k.term:
		return fmt.Sprintf("SIGTERM %s after it ran", k.after)
	case k.boot:
		return fmt.Sprintf("SIGKILL %s after the start", k.after)
	}
	return fmt.Sprintf("SIGKILL %s after it ran", k.after)
}

// plan is what is left to do. It is safe for concurrent use.
type plan struct {
	mu   sync.Mutex
	left []kill
}

// carryPoints are met where a log is carried from node to node: the tests of package journal end the process at every change there, and scenarios/cluster does.
var carryPoints = []string{
	"journal/midAdopt", "journal/beforeAdoptRename", "journal/midSetAside", "placement/midAdopt", "placement/sealed", "placement/withdrawn",
	"shipper/beforeAppend", "shipper/afterAppend", "outbox/beforeRemoving", // scenarios/cored dies there
	"cold/afterIntend", "cold/afterPut", "cold/afterCompact", "cold/afterDelete", "cold/nativeIntended", "cold/nativePut", // likewise
}

// chosen are the points that the environment asks for: mostly all but those that another lane has (TestRetentionKills).
func chosen() (list []string) {
	for _, p := range failpoint.Points() {
		if p != dropPoint && !slices.Contains(trimPoints, p) && !slices.Contains(carryPoints, p) && strings.HasPrefix(p, os.Getenv("RINGMASTER_ROBUST_POINT")) {
			list = append(list, p)
		}
	}
	return list
}

// newPlan shuffles so many kills at each point with so many at random moments.
func newPlan(random *rand.Rand, perPoint, moments int) *plan {
	p := new(plan)
	for _, point := range chosen() {
		k := kill{point: point}
		switch point {
		case "journal/beforeTruncate", "journal/afterTruncate":
			k.first = "journal/midWrite"
		case "journal/beforeIndexRename":
			k.lose = "sessions/SESSION/*.index"
		case "datafolder/beforeRename":
			k.lose = "token"
		}
		for range perPoint {
			p.left = append(p.left, k)
		}
	}
	for range moments {
		k := kill{boot: random.IntN(5) == 0}
		k.after = time.Duration(3+random.IntN(12)) * time.Millisecond
		if random.IntN(2) == 0 {
			k.after = time.Duration(random.IntN(150)) * time.Millisecond
		}
		p.left = append(p.left, k)
	}
	random.Shuffle(len(p.left), func(i, j int) { p.left[i], p.left[j] = p.left[j], p.left[i] })
	return p
}

// next takes a kill; false: all are done.
func (p *plan) next() (kill, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.left) == 0 {
		return kill{}, false
	}
	k := p.left[0]
	p.left = p.left[1:]
	return k, true
}

// mostTries is how often a point may be missed before the lane says that it cannot be reached.
const mostTries = 20

// again puts back a kill whose point was not come to.
func (p *plan) again(k kill) error {
	if k.tries++; k.tries == mostTries {
		return fmt.Errorf("%s was not come to in %d lives", k.point, mostTries)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = append(p.left, k)
	return nil
}

// stop lets the arenas end.
func (p *plan) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = nil
}
