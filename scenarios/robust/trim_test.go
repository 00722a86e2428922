package robust

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

const (
	// trimmedBytes is what is kept of a log, in bytes: less than a daemon takes as its limit, which only its tests can have.
	trimmedBytes = 64 << 10
	// trimTime is how long a life of this lane may take that does not come to its point.
	trimTime = 20 * time.Second
)

// trimPoints are on the way of the oldest events of a log. Nothing else comes to those of snapshots.
var trimPoints = []string{"trim/beforeSnapshot", "record/beforeSnapshotRename", "trim/afterSnapshot", "journal/midDrop"}

// chatty is a turn of some kilobytes.
const chatty = "play\n```script\n[{\"say\": {\"text\": \"%s %s\", \"chunk\": 40, \"over\": \"20ms\"}}]\n```"

// shears is a session whose log is trimmed all the time, and all that was ever shown of it.
type shears struct {
	*daemon
	id      string
	whole   []byte
	seq     uint64
	ledger  *audit.Ledger
	prompts int
	oldest  uint64
	died    map[string]int
	overdue atomic.Bool
}

// TestTrimKills kills a daemon while the oldest events of a log go, at random moments and at every step of that: what is left is the end of what was shown, without a
// gap, and the state is that of all of it.
//
// Proves: I15.2/bound
func TestTrimKills(t *testing.T) {
	kills := min(wanted.random/2, 100)
	if kills == 0 {
		t.Skip("run task robust")
	}
	d, err := newDaemon(keep(t, "trim"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.kill()
	d.more = []string{"--log-limit", "8MiB"}
	d.sizes = fmt.Sprintf(",session/log=%d", trimmedBytes)
	y := &shears{daemon: d, died: map[string]int{}}
	random := rand.New(rand.NewPCG(wanted.seed, 98))
	for n := range kills {
		point := ""
		if k := n % (len(trimPoints) + 1); k < len(trimPoints) {
			point = trimPoints[k]
		}
		if err := y.life(t.Context(), point, random); err != nil {
			t.Fatal(run(fmt.Sprintf("life %d, %q", n, point), []string{y.data}).Fail(err))
		}
	}
	if err := y.life(t.Context(), "the end", random); err != nil {
		t.Fatal(run("the last life", []string{y.data}).Fail(err))
	}
	t.Logf("%d kills, at points %v, %d prompts, the oldest event is %d of %d", kills, y.died, y.prompts, y.oldest, y.seq)
	for _, point := range trimPoints {
		if kills > len(trimPoints) && y.died[point] == 0 {
			t.Errorf("nothing died at %s", point)
		}
	}
	if y.oldest < 100 {
		t.Errorf("the oldest event is %d", y.oldest)
	}
}

func (y *shears) life(ctx context.Context, point string, random *rand.Rand) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	armed := ""
	last := point == "the end"
	if point != "" && !last {
		armed = fmt.Sprintf("%s#%d@0s", point, 1+random.IntN(2))
	}
	y.overdue.Store(false)
	if err := y.begin([]string{"always", "interval", "os"}[random.IntN(3)], armed); err != nil {
		return err
	}
	defer y.kill()
	err := y.running()
	if err == nil {
		err = y.judge(ctx)
	}
	if err == nil && last {
		if note := y.stop(); note != "" {
			return errors.New(note)
		}
		return nil
	}
	if err == nil {
		after := trimTime
		if point == "" {
			after = time.Duration(200+random.IntN(800)) * time.Millisecond
		}
		err = y.work(ctx, after)
	}
	var broken *brokenYardError
	if errors.As(err, &broken) {
		return err
	}
	select {
	case <-y.process.Ended():
		if point != "" && !y.overdue.Load() {
			y.died[point]++
		}
		return y.process.Killed()
	case <-ctx.Done():
		return err
	}
}

// work has the session speak until the daemon dies.
func (y *shears) work(ctx context.Context, after time.Duration) error {
	defer time.AfterFunc(after, func() {
		y.overdue.Store(true)
		y.process.KillNow()
	}).Stop()
	if y.id == "" {
		var made struct{ ID string }
		if err := y.post(ctx, "/sessions", newSession(y.daemon), &made); err != nil {
			return err
		}
		y.id, y.ledger = made.ID, audit.NewLedger(made.ID)
	}
	for {
		y.prompts++
		text := fmt.Sprintf(chatty, fmt.Sprint(y.prompts), bytes.Repeat([]byte("and so on "), 200))
		if err := y.post(ctx, "/sessions/"+y.id+"/prompts", map[string]string{"text": text}, nil); err != nil {
			return err
		}
		for {
			if err := y.read(ctx); err != nil {
				return err
			}
			if s := y.ledger.Log().Status(); s.State == protocol.StateIdle && s.QueuedPrompts == 0 {
				break
			}
			if !pause(ctx, 5*time.Millisecond) {
				return context.Cause(ctx)
			}
		}
	}
}

// read goes on from what was shown. Nothing of what has gone was not shown: the session waits for its reader.
func (y *shears) read(ctx context.Context) error {
	path := fmt.Sprintf("/sessions/%s/log?since=%d", y.id, y.seq)
	if y.seq == 0 {
		path = "/sessions/" + y.id + "/log"
	}
	status, _, body, err := y.call(ctx, http.MethodGet, path, "", nil)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return y.broken(audit.ErrLost, "the log behind event %d: %d: %s", y.seq, status, body)
	}
	y.whole = append(y.whole, body...)
	if err := y.ledger.Follow(split(y.whole)); err != nil {
		return &brokenYardError{err}
	}
	y.seq = uint64(bytes.Count(y.whole, []byte("\n")))
	return nil
}

// judge holds a daemon that has just been started to what was shown.
func (y *shears) judge(ctx context.Context) error {
	if y.id == "" {
		return nil
	}
	if err := y.read(ctx); err != nil {
		return err
	}
	_, log, err := y.get(ctx, "/sessions/"+y.id+"/log")
	if err != nil {
		return err
	}
	if log = log[:len(log)-tail(log, y.whole)]; !bytes.HasSuffix(y.whole, log) {
		return y.broken(audit.ErrLost, "the log of %d bytes is not the end of the %d that were shown", len(log), len(y.whole))
	}
	if len(log) > 2*trimmedBytes {
		return y.broken(audit.ErrReliable, "the log has %d bytes", len(log))
	}
	if first, err := protocol.Decode(bytes.TrimSpace(split(log)[0])); err == nil {
		y.oldest = first.Seq
	}
	_, body, err := y.get(ctx, fmt.Sprintf("/sessions/%s/state?entries=1&at=%d", y.id, y.seq))
	if err != nil {
		return err
	}
	var got, want protocol.SessionState
	if err := got.UnmarshalJSON(body); err != nil {
		return err
	}
	for _, line := range split(y.whole) {
		e, err := protocol.Decode(bytes.TrimSpace(line))
		if err != nil {
			return err
		}
		want.Apply(&e)
	}
	for _, s := range []*protocol.SessionState{&got, &want} {
		s.Entries, s.Turns, s.Requests = nil, nil, nil
	}
	if a, b := want.AppendJSON(nil), got.AppendJSON(nil); !bytes.Equal(a, b) {
		return y.broken(audit.ErrLost, "the state is\n%s\nand that of all events\n%s", b, a)
	}
	return nil
}

// tail is how many bytes of a log came behind what was read of it.
func tail(log, read []byte) int {
	last := read[bytes.LastIndexByte(read[:len(read)-1], '\n')+1:]
	if at := bytes.Index(log, last); at >= 0 {
		return len(log) - at - len(last)
	}
	return 0
}

func (y *shears) broken(promise error, format string, args ...any) error {
	return &brokenYardError{fmt.Errorf("%w: %s", promise, fmt.Sprintf(format, args...))}
}

func (y *shears) post(ctx context.Context, path string, in, out any) error {
	return (&yard{daemon: y.daemon}).post(ctx, path, in, out)
}
