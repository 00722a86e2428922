package robust

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

const (
	keptBytes = 256 << 10
	// goneTime is how long retention may take to come to what is kept: it looks every ten seconds where nothing has gone.
	goneTime = 30 * time.Second
)

// question is a turn that waits for an answer until the daemon dies.
const question = "play\n```script\n[{\"ask\": {\"method\": \"confirm\", \"title\": \"Sure?\", \"then\": []}}]\n```"

// yard is a data folder of which retention removes what nobody keeps. What it must keep is pinned, is at work, asks, or is of a pinned session's tree.
type yard struct {
	*daemon
	pinned, above, working, asking string
	ledgers                        audit.Ledgers // of all sessions that have ended or must stay, as they were last read
	ended                          []string      // which may go
	resting                        []string      // which are to end in the next life
	gone                           int
	died                           map[string]int // lives, by their point
	overdue                        atomic.Bool    // this one was ended by the clock
}

// TestRetentionKills kills a daemon while retention removes all that has ended, at random moments and in the middle of removals: what must stay is there with its
// whole log, what is listed can be read, and nothing of what went is left.
//
// Proves: I15.2/kills
func TestRetentionKills(t *testing.T) {
	kills := min(wanted.random/2, 100) // each takes a second
	if kills == 0 {
		t.Skip("run task robust")
	}
	d, err := newDaemon(keep(t, "retention"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.kill()
	y := &yard{daemon: d, ledgers: audit.Ledgers{}, died: map[string]int{}}
	random := rand.New(rand.NewPCG(wanted.seed, 97))
	points := []string{"", "journal/midRemove", dropPoint, "journal/midRemove", "record/beforeRecordRename"}
	for n := range kills {
		point := points[n%len(points)]
		if err := y.life(t.Context(), point, random); err != nil {
			t.Fatal(run(fmt.Sprintf("life %d, %q", n, point), []string{y.data}).Fail(err))
		}
	}
	if err := y.last(t.Context()); err != nil {
		t.Fatal(run("the last life", []string{y.data}).Fail(err))
	}
	t.Logf("%d kills, at points %v, %d sessions ended, %d are gone", kills, y.died, len(y.ended), y.gone)
	if kills >= len(points) && y.died[dropPoint] == 0 {
		t.Errorf("nothing died at %s", dropPoint)
	}
	if y.gone == 0 {
		t.Error("retention has removed nothing")
	}
}

// life is one of the daemon's, which ends at a point of the first removals, or while sessions end and go.
func (y *yard) life(ctx context.Context, point string, random *rand.Rand) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	armed := ""
	if point != "" {
		armed = fmt.Sprintf("%s#%d@0s", point, 1+random.IntN(4))
	}
	y.more = flags(point)
	y.overdue.Store(false)
	if err := y.begin([]string{"always", "interval", "os"}[random.IntN(3)], armed); err != nil {
		return err
	}
	defer y.kill()
	err := y.running()
	if err == nil {
		err = y.judge(ctx)
	}
	if err == nil {
		err = y.work(ctx, point, time.Duration(200+random.IntN(800))*time.Millisecond)
	}
	var broken *brokenYardError
	if errors.As(err, &broken) {
		return err
	}
	select {
	case <-y.process.Ended(): // at its point, or by the clock: that is why something was not answered
		if point != "" && !y.overdue.Load() {
			y.died[point]++
		}
		return y.process.Killed()
	case <-ctx.Done():
		return err
	}
}

// brokenYardError is what the daemon must not have said, whatever kills it.
type brokenYardError struct{ error }

func (e *brokenYardError) Unwrap() error { return e.error }

func (y *yard) broken(promise error, format string, args ...any) error {
	return &brokenYardError{fmt.Errorf("%w: %s", promise, fmt.Sprintf(format, args...))}
}

// work has everything go that has ended and is not kept, while more sessions end, until the daemon is to be killed.
func (y *yard) work(ctx context.Context, point string, after time.Duration) error {
	err := y.keepers(ctx)
	if err == nil {
		err = y.rested(ctx)
	}
	if err != nil {
		return err
	}
	if point == dropPoint {
		return y.rest(ctx)
	}
	defer time.AfterFunc(after, y.late).Stop()
	for {
		for range 3 {
			if _, err := y.victim(ctx, ""); err != nil {
				return err
			}
		}
		// Nothing that has ended is younger: what stays does so because it must.
		if err := y.post(ctx, "/gc", map[string]string{"keepFor": "1ms"}, nil); err != nil {
			return err
		}
	}
}

// keepers makes those that must stay, and has those work and ask again that the last kill has interrupted.
func (y *yard) keepers(ctx context.Context) (err error) {
	if y.pinned == "" {
		above, err := y.create(ctx, "")
		if err != nil {
			return err
		}
		pinned, err := y.victim(ctx, above)
		if err != nil {
			return err
		}
		if status, _, body, err := y.call(ctx, http.MethodPatch, "/sessions/"+pinned, "", map[string]bool{"pinned": true}); err != nil {
			return err
		} else if status/100 != 2 {
			return y.broken(audit.ErrReliable, "a pin is answered with %d: %s", status, body)
		}
		if err := y.end(ctx, above); err != nil {
			return err
		}
		y.pinned, y.above = pinned, above
	}
	for _, k := range []struct {
		id    *string
		text  string
		state protocol.State
	}{{&y.working, endless, protocol.StateResponding}, {&y.asking, question, protocol.StateAwaitingApproval}} {
		if *k.id == "" {
			if *k.id, err = y.create(ctx, ""); err != nil {
				return err
			}
			y.ledgers[*k.id] = audit.NewLedger(*k.id)
		}
		if err := y.post(ctx, "/sessions/"+*k.id+"/prompts", map[string]string{"text": k.text}, nil); err != nil {
			return err
		}
		for {
			if err := y.read(ctx, *k.id); err != nil {
				return err
			}
			if y.ledgers[*k.id].Log().Status().State == k.state {
				break
			}
			if !pause(ctx, pollEvery) {
				return context.Cause(ctx)
			}
		}
	}
	return nil
}

// victim makes a session that has ended, below another one or by itself.
func (y *yard) victim(ctx context.Context, above string) (id string, err error) {
	if id, err = y.create(ctx, above); err != nil {
		return "", err
	}
	return id, y.end(ctx, id)
}

func (y *yard) create(ctx context.Context, above string) (id string, err error) {
	in := newSession(y.daemon)
	in["parentSessionId"] = above
	var made struct{ ID string }
	err = y.post(ctx, "/sessions", in, &made)
	return made.ID, err
}

// end ends a session and notes its log: what has just ended can be read, however much there is.
func (y *yard) end(ctx context.Context, id string) error {
	if err := y.post(ctx, "/sessions/"+id+"/end", nil, nil); err != nil {
		return err
	}
	if y.ledgers[id] == nil {
		y.ledgers[id] = audit.NewLedger(id)
	}
	y.ended = append(y.ended, id)
	return y.read(ctx, id)
}

func (y *yard) post(ctx context.Context, path string, in, out any) error {
	status, _, body, err := y.call(ctx, http.MethodPost, path, "", in)
	if err != nil {
		return err
	}
	if status/100 != 2 {
		return y.broken(audit.ErrReliable, "POST %s: %d: %s", path, status, body)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(body, out)
}

// read has a session's log, which is there, go on from what it was.
func (y *yard) read(ctx context.Context, id string) error {
	status, _, body, err := y.call(ctx, http.MethodGet, "/sessions/"+id+"/log", "", nil)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return y.broken(audit.ErrLost, "the log of session %s: %d: %s", id, status, body)
	}
	if err := y.ledgers[id].Follow(split(body)); err != nil {
		return &brokenYardError{err}
	}
	return nil
}

// judge holds a daemon that has just been started to what must be there, before anything goes.
func (y *yard) judge(ctx context.Context) error {
	for _, id := range []string{y.pinned, y.above, y.working, y.asking} {
		if id == "" {
			continue
		}
		if err := y.read(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// listed are all sessions.
func (y *yard) listed(ctx context.Context) (ids map[string]bool, err error) {
	_, body, err := y.get(ctx, "/sessions?limit=1000")
	if err != nil {
		return nil, err
	}
	var page struct{ Sessions []struct{ ID string } }
	if err := json.Unmarshal(body, &page); err != nil {
		return nil, err
	}
	ids = map[string]bool{}
	for _, s := range page.Sessions {
		ids[s.ID] = true
	}
	return ids, nil
}

// last starts the daemon once more, which comes to what is kept.
func (y *yard) last(ctx context.Context) error {
	y.more = flags("")
	if err := y.start("always"); err != nil {
		return err
	}
	if err := y.judge(ctx); err != nil {
		return err
	}
	ids, err := y.listed(ctx)
	if err != nil {
		return err
	}
	for id := range ids {
		if y.ledgers[id] == nil {
			continue // nobody was told of it
		}
		if err := y.read(ctx, id); err != nil {
			if now, listErr := y.listed(ctx); listErr != nil || now[id] || !slices.Contains(y.ended, id) {
				return errors.Join(err, listErr)
			}
			// it has gone since it was listed: retention begins with the daemon
		}
	}
	if err := y.post(ctx, "/gc", map[string]string{"keepFor": "1ms"}, nil); err != nil {
		return err
	}
	for deadline := time.Now().Add(goneTime); ; {
		left, err := y.left(ctx)
		if left == nil && err == nil {
			break
		}
		if err != nil || time.Now().After(deadline) {
			return errors.Join(left, err)
		}
		pause(ctx, 50*time.Millisecond)
	}
	for _, id := range []string{y.pinned, y.above} { // the others rest now, so they may go
		if err := y.read(ctx, id); err != nil {
			return err
		}
	}
	if note := y.stop(); note != "" {
		return errors.New(note)
	}
	return leftovers(y.data)
}

// left says what is there that must not stay: sessions that have ended, folders of removals, folders of nobody.
func (y *yard) left(ctx context.Context) (left, err error) {
	ids, err := y.listed(ctx)
	if err != nil {
		return nil, err
	}
	y.gone = 0
	for _, id := range y.ended {
		switch {
		case !ids[id]:
			y.gone++
		case id != y.pinned && id != y.above:
			return fmt.Errorf("session %s, which has ended, is still there", id), nil
		}
	}
	dirs, err := os.ReadDir(filepath.Join(y.data, "sessions"))
	if err != nil {
		return nil, err
	}
	for _, e := range dirs {
		if strings.HasSuffix(e.Name(), journal.RemovedSuffix) || e.IsDir() && !ids[e.Name()] {
			return fmt.Errorf("%s is still there", e.Name()), nil
		}
	}
	return nil, nil
}
