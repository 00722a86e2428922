package placement_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	objectsmemory "github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	storememory "github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
	"github.com/ringmaster-agents/ringmaster/supervisor/record"
	"go.uber.org/zap"
)

// shelf is an object store of which some sessions' objects do not come.
type shelf struct {
	objects.Store
	of *taking
}

func (s shelf) Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	id := strings.Split(strings.TrimPrefix(key, objects.SessionPrefix("")[:len(objects.SessionPrefix(""))-1]), "/")[0]
	release := s.of.reads(id)
	defer s.of.read(id)
	if release != nil {
		select {
		case <-release:
		case <-ctx.Done():
			return nil, &objects.AwayError{Op: "get", Err: ctx.Err()}
		}
	}
	return s.Store.Get(ctx, key, offset, length)
}

// taking is a node to which sessions come that another one, "far", has left, and whose logs are in an object store.
type taking struct {
	t      *testing.T
	place  *memory.Place
	link   *memory.Link // the node's way there
	bucket objectsmemory.Place
	core   core.Core
	far    core.Owner
	data   folder.Data
	logs   *storememory.Store
	lease  time.Duration // 0: the usual one
	moves  *placement.Placement

	mu      sync.Mutex
	life    core.Owner
	stalled map[string]chan struct{} // sessions whose objects do not come until it is closed
	gets    map[string]int           // how often they were asked for
	now     map[string]int           // by how many at the moment
	twice   bool                     // by two at once
	kept    map[string]bool          // whether a session that was asked for was one of those that Core has for this node
	here    []string                 // in the order in which they have come
	shown   protocol.Cursor          // of each of these
	told    int                      // how often Core may have gone back
	stays   int                      // so many tries of letting a session go fail
	arrived int                      // how many have
}

// takes makes a node that has just begun, in a bubble of synctest.
func takes(t *testing.T) *taking {
	t.Helper()
	runtime.GC() // the encoders and decoders that are kept for whoever is next are of another test's bubble; the second one takes them
	runtime.GC()
	place := new(memory.Place)
	n := &taking{
		t: t, place: place, link: &memory.Link{Place: place}, core: place.Core(), data: folder.Data{Root: t.TempDir()}, logs: new(storememory.Store),
		stalled: map[string]chan struct{}{}, gets: map[string]int{}, now: map[string]int{},
	}
	var err error
	n.far, err = n.core.Join(t.Context(), "far")
	n.must(err)
	_, err = n.core.Beat(t.Context(), n.far, core.Beat{Lease: core.MaxLease})
	n.must(err)
	n.join(core.Owner{})
	return n
}

// begin has the node take what it can.
func (n *taking) begin() {
	n.moves = placement.Begin(placement.Config{
		Connect: func(context.Context) (core.Core, error) {
			return cold.Join(n.link.Core(), func() (objects.Store, error) { return shelf{n.bucket.Store(), n}, nil }), nil
		},
		Life: func() (core.Owner, bool) {
			n.mu.Lock()
			defer n.mu.Unlock()
			return n.life, true
		},
		Rejoin: n.join, Told: func() core.Beat { return core.Beat{} }, Owns: func(p core.Position) bool { return p.Epoch <= n.newest(p.Session).Epoch }, Log: zap.NewNop(),
		Answers: func() {
			n.mu.Lock()
			defer n.mu.Unlock()
			n.told++
		},
		Lease: n.lease,
		Node: &placement.Node{
			Sessions: n, Here: n.list, Knows: n.has, Newest: n.newest, Moved: func(string) {},
			InCore:     func(context.Context, string, uint64) bool { return true },
			Workspaces: func() []string { return []string{"shop"} }, Agents: func() []string { return []string{"scripted"} },
			Logs: n.logs, Files: disk.OS(), Data: n.data,
			IsRetired: func(string, protocol.Cursor) bool { return false }, MayReturn: func(string, protocol.Cursor) bool { return false }, KeepRetired: n.keepRetired, Returned: func(string) {},
		},
	})
}

func (n *taking) end() {
	n.t.Helper()
	begun := time.Now()
	if n.moves.Close(); time.Since(begun) > 0 {
		n.t.Errorf("it ended after %v", time.Since(begun))
	}
	n.core.Close()
	if n.twice {
		n.t.Error("one session was taken in twice at once")
	}
}

func (n *taking) must(err error) {
	n.t.Helper()
	if err != nil {
		n.t.Fatal(err)
	}
}

func (n *taking) join(core.Owner) {
	life, err := n.core.Join(context.Background(), "n")
	if err != nil {
		n.t.Error(err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.life = life
}

// leaves has the other node leave sessions that were at work; the first one of a family, which may have been left before, is their parent, and they end with
// it.
func (n *taking) leaves(family ...string) {
	n.t.Helper()
	ctx := n.t.Context()
	var handed []core.Handed
	for _, p := range n.had(n.far, family...) {
		handed = append(handed, core.Handed{Session: p.Session, Lease: p.Lease, Head: 3})
	}
	s := n.bucket.Store()
	defer s.Close()
	_, err := (&cold.Compactor{Core: n.core, Store: s, Full: 1, Rest: 1}).Pass(ctx)
	n.must(err)
	_, err = n.core.Release(ctx, n.far, handed)
	n.must(err)
}

// had has a node have sessions that are at work, but for those that were had before.
func (n *taking) had(owner core.Owner, family ...string) []core.Position {
	n.t.Helper()
	ctx := n.t.Context()
	var records []core.Record
	for i, id := range family {
		if n.owner(id) != "" {
			continue
		}
		sum := record.Summary{ID: id, Agent: "scripted", Epoch: 1, Seq: 3, Created: time.Now().Add(time.Duration(i) * time.Second)}
		r := core.Record{
			Session: id, Root: family[0], Agent: "scripted", State: string(protocol.StateResponding), Workspace: "shop", Failover: core.FailoverAuto,
			Created: sum.Created, Updated: time.Now(),
		}
		if i > 0 {
			sum.ParentSessionID, sum.Spawned, r.Parent = family[0], true, family[0]
		}
		var err error
		r.Told, err = json.Marshal(record.Record{Version: record.Version, Summary: &sum})
		n.must(err)
		n.must(os.MkdirAll(n.data.Session(id), 0o700)) // logs are in memory
		records = append(records, r)
	}
	at, err := n.core.Take(ctx, owner, records)
	n.must(err)
	for _, p := range at {
		st := store.Stretch{First: 1, Epoch: 1, Time: 1}
		for seq := range 3 {
			st.Lines = fmt.Appendf(st.Lines, `{"seq":%d,"ts":1700000000123,"type":"note"}`+"\n", seq+1)
		}
		st.Sources = []store.Made{{Count: 3, Source: store.Source{Incarnation: 1, Batch: 1}}}
		answers, err := n.core.Append(ctx, []core.Batch{{Session: p.Session, Lease: p.Lease, Stretch: st}})
		n.must(err)
		if !answers[0].Taken {
			n.t.Fatalf("%+v", answers)
		}
	}
	return at
}

// stall has the objects of sessions not come, until what it gives is called.
func (n *taking) stall(ids ...string) (release func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	until := make(chan struct{})
	for _, id := range ids {
		n.stalled[id] = until
	}
	return sync.OnceFunc(func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		close(until)
		for _, id := range ids {
			delete(n.stalled, id)
		}
	})
}

func (n *taking) reads(id string) <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.gets[id]++
	n.now[id]++
	n.twice = n.twice || n.now[id] > 1
	return n.stalled[id]
}

func (n *taking) read(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.now[id]--
}

// asked is how often objects of a session were.
func (n *taking) asked(id string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.gets[id]
}

// damage takes the objects of a session away, until what it gives is called.
func (n *taking) damage(id string) (mend func()) {
	n.t.Helper()
	s := n.bucket.Store()
	defer s.Close()
	kept := map[string][]byte{}
	for info, err := range s.List(n.t.Context(), objects.SessionPrefix(id), "") {
		n.must(err)
		r, err := s.Get(n.t.Context(), info.Key, 0, objects.Whole)
		n.must(err)
		kept[info.Key], err = io.ReadAll(r)
		n.must(errors.Join(err, r.Close(), s.Delete(n.t.Context(), info.Key)))
	}
	if len(kept) == 0 {
		n.t.Fatal("there is nothing to damage")
	}
	return func() {
		s := n.bucket.Store()
		defer s.Close()
		for key, b := range kept {
			_, err := s.Put(n.t.Context(), key, objects.Bytes(b))
			n.must(err)
		}
	}
}

func (n *taking) list() (list []placement.Here) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, id := range n.here {
		list = append(list, placement.Here{ID: id, Placed: true})
	}
	return list
}

func (n *taking) has(id string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Contains(n.here, id)
}

func (n *taking) newest(id string) protocol.Cursor {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Contains(n.here, id) {
		return protocol.Cursor{}
	}
	return cmp.Or(n.shown, protocol.Cursor{Epoch: 1, Seq: 3})
}

// come are the sessions that are here, in the order in which they have come.
func (n *taking) come() []string {
	synctest.Wait()
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.here)
}

func (n *taking) Arrive(_ context.Context, id string, _ bool) error {
	if _, err := n.logs.Stat(id); err != nil {
		n.t.Errorf("%s arrives without a log: %v", id, err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.here = append(n.here, id)
	n.arrived++
	return nil
}

// keepRetired looks at what Core is said to have for this node of those that are here.
func (n *taking) keepRetired(is func(id string) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.kept = map[string]bool{}
	for _, id := range n.here {
		n.kept[id] = is(id)
	}
}

func (n *taking) Unseal(string) {}
func (n *taking) Confirm(bool)  {}

func (n *taking) Seal(context.Context, string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.stays--; n.stays >= 0 {
		return errors.New("it is at work")
	}
	return nil
}

func (n *taking) Withdraw(_ context.Context, id, name string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.here = slices.DeleteFunc(n.here, func(one string) bool { return one == id })
	return n.logs.SetAside(id, name)
}

// owner is the node that has a session in Core.
func (n *taking) owner(id string) string {
	n.t.Helper()
	at, err := n.core.Positions(n.t.Context(), []string{id})
	n.must(err)
	return at[0].Owner.Node
}

// take asks for a session.
func (n *taking) take(id string, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(n.t.Context(), wait)
	defer cancel()
	return n.moves.Take(ctx, id, false)
}

// TestDamagedSessionIsTriedEverMoreRarely: a session that cannot be taken in, since its log is damaged, is tried ever more rarely, and at once where somebody
// asks for it. It comes when the damage is mended.
//
// Proves: I16.6/half-moved
func TestDamagedSessionIsTriedEverMoreRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := takes(t)
		x, y := session(1), session(2)
		n.leaves(x)
		n.leaves(y)
		mend := n.damage(x)
		n.lease = 6 * time.Hour // no beat reminds of it
		n.begin()
		time.Sleep(time.Hour)
		if got, asked := n.come(), n.asked(x); !slices.Equal(got, []string{y}) || n.owner(x) != "n" || asked < 8 || asked > 15 {
			t.Errorf("%v are here; the object of the other one was asked for %d times in an hour", got, asked)
		}
		before := n.asked(x)
		var p *protocol.Problem
		if err := n.take(x, time.Second); !errors.As(err, &p) || p.Code != protocol.CodeUnavailable || n.asked(x) != before+1 {
			t.Errorf("asked for, it was tried %d times: %v", n.asked(x)-before, err)
		}
		mend()
		time.Sleep(10 * time.Minute)
		if got := n.come(); !slices.Equal(got, []string{y, x}) {
			t.Errorf("at last %v are here", got)
		}
		n.end()
	})
}

// TestSurveyKnowsWhatIsHere: a session that is here while the node looks for what Core has for it is one of those, also for whoever asks in the end: retention may
// have begun to remove it meanwhile, and it is not to come back for that.
//
// Proves: I16.6/retired
func TestSurveyKnowsWhatIsHere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := takes(t)
		x := session(1)
		_, err := n.core.Take(t.Context(), n.life, []core.Record{{Session: x}})
		n.must(err)
		n.here = []string{x}
		n.begin()
		time.Sleep(placement.Lease)
		n.mu.Lock()
		is, asked := n.kept[x]
		n.mu.Unlock()
		if !is {
			t.Errorf("Core has it for this node, and it is said not to; it was asked for: %v", asked)
		}
		n.end()
	})
}

// TestStalledSessionsKeepNobodyWaiting: while the logs of some sessions do not come, others are claimed and come, also when somebody asks for them, and are
// given away. Who asks for one that stalls has it when it comes.
//
// Proves: I16.6/half-moved
func TestStalledSessionsKeepNobodyWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := takes(t)
		var stalled []string
		for i := range 6 { // more than there are logs at once
			stalled = append(stalled, session(i))
			n.leaves(stalled[i])
		}
		release := n.stall(stalled...)
		n.begin()
		time.Sleep(15 * time.Second)
		x, y, z := session(11), session(12), session(13)
		n.leaves(x)
		time.Sleep(placement.Lease / 2)
		if got := n.come(); !slices.Equal(got, []string{x}) {
			t.Errorf("while others stall, %v are here", got)
		}
		n.leaves(y)
		if err := n.take(y, 3*time.Second); err != nil || !n.has(y) {
			t.Errorf("while others stall, one that is asked for: %v", err)
		}
		got := make(chan error)
		go func() { got <- n.take(stalled[0], time.Minute) }()
		time.Sleep(5 * time.Second)
		release()
		if err := <-got; err != nil || !n.has(stalled[0]) {
			t.Errorf("one that has stalled, for who asks: %v", err)
		}
		time.Sleep(placement.Lease)
		if got := n.come(); len(got) != 8 {
			t.Errorf("at last %v are here", got)
		}

		n.leaves(z)
		n.stall(z)
		time.Sleep(placement.Lease / 2)
		if n.asked(z) == 0 {
			t.Error("the last one is not on its way")
		}
		n.moves.Drain(0)
		time.Sleep(5 * time.Second)
		if left, _ := n.moves.Draining(); left != 0 || len(n.come()) > 0 {
			t.Errorf("while one stalls, %d are not given away", left)
		}
		n.end()
	})
}

// TestStalledForHours: a session whose log does not come at all is tried ever more rarely, by one at a time.
//
// Proves: I16.6/half-moved
func TestStalledForHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := takes(t)
		x := session(1)
		n.leaves(x)
		n.stall(x)
		n.begin()
		time.Sleep(time.Hour)
		if asked := n.asked(x); asked < 4 || asked > 8 || n.has(x) {
			t.Errorf("it was asked for %d times in an hour", asked)
		}
		n.end()
	})
}

// TestChildWaitsForItsParent: a session that would end without the one that it works for comes behind that one, also where the log of that one stalls, or is
// damaged.
//
// Proves: I16.6/families
func TestChildWaitsForItsParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := takes(t)
		parent, child := session(2), session(1)
		n.leaves(parent, child)
		release := n.stall(parent)
		n.begin()
		time.Sleep(time.Minute)
		if got := n.come(); len(got) > 0 {
			t.Errorf("while the log of the parent stalls, %v are here", got)
		}
		release()
		if got := n.come(); !slices.Equal(got, []string{parent, child}) {
			t.Errorf("then %v are here", got)
		}

		damaged, below, late := session(4), session(3), session(5)
		n.leaves(damaged, below)
		mend := n.damage(damaged)
		time.Sleep(time.Hour)
		if got, asked := n.come(), n.asked(below); len(got) != 2 || asked != 1 {
			t.Errorf("while the log of the parent is damaged, %v are here, and that of the other one was read %d times", got, asked)
		}
		time.Sleep(time.Minute / 2)
		n.leaves(damaged, late)
		time.Sleep(time.Minute / 2)
		for mend(); !n.has(damaged); time.Sleep(time.Second) {
		}
		if got := n.come(); len(got) != 5 || got[2] != damaged {
			t.Errorf("at last %v are here", got)
		}
		n.end()
	})
}

// TestSessionIsTakenWhileItComes: a session that others claim while its log is being made does not arrive.
//
// Proves: I16.6/half-moved
func TestSessionIsTakenWhileItComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := takes(t)
		x := session(1)
		n.leaves(x)
		release := n.stall(x)
		n.begin()
		time.Sleep(time.Minute)
		got := make(chan error)
		go func() { got <- n.take(x, time.Hour) }()
		time.Sleep(time.Second)
		n.link.Leave()
		for range 4 { // until the node counts as dead
			time.Sleep(placement.Lease / 2)
			_, err := n.core.Beat(t.Context(), n.far, core.Beat{Lease: placement.Lease})
			n.must(err)
		}
		dead, err := n.core.Declare(t.Context(), n.far)
		n.must(err)
		claims, err := n.core.Claim(t.Context(), n.far, core.Want{Sessions: []string{x}})
		n.must(err)
		if len(dead) != 1 || len(claims.Taken) != 1 {
			t.Fatalf("%+v, %+v", dead, claims)
		}
		_, err = n.core.Beat(t.Context(), n.far, core.Beat{Lease: core.MaxLease})
		n.must(err)
		n.link.Return()
		time.Sleep(10 * time.Second)
		release()
		if err := <-got; err == nil || !strings.Contains(err.Error(), "far") {
			t.Errorf("who has asked for it is told %v", err)
		}
		time.Sleep(time.Minute)
		if _, err := n.logs.Stat(x); n.arrived > 0 || !errors.Is(err, fs.ErrNotExist) || n.owner(x) != "far" {
			t.Errorf("it has arrived %d times: %v", n.arrived, err)
		}
		n.end()
	})
}

// TestClaimOfWhatIsHere: a node claims a session of a lost one that it has already, since Core went back and has forgotten that. It goes on here as it is, unless others
// have had it since: then what is here is set aside, and the session comes as Core has it.
//
// Proves: I16.6/forgotten-claim
func TestClaimOfWhatIsHere(t *testing.T) {
	for name, c := range map[string]struct {
		newest  protocol.Cursor // of what is here
		stays   int
		arrived int
	}{
		"its own":              {protocol.Cursor{Epoch: 7, Seq: 9}, 0, 0},
		"in the epoch of Core": {protocol.Cursor{Epoch: 4, Seq: 9}, 0, 0},
		"others have had it":   {protocol.Cursor{Epoch: 3, Seq: 9}, 0, 1},
		"out of a backup":      {protocol.Cursor{Epoch: 4, Seq: 2}, 0, 1},
		"and it does not go":   {protocol.Cursor{Epoch: 4, Seq: 2}, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := takes(t)
				lost, err := n.core.Join(t.Context(), "lost")
				n.must(err)
				_, err = n.core.Beat(t.Context(), lost, core.Beat{Lease: placement.LeastLease})
				n.must(err)
				x := session(1)
				p := n.had(lost, x)[0]
				a, err := n.core.Rewind(t.Context(), core.Cut{Session: x, Lease: p.Lease, Epoch: 4, First: 4})
				n.must(err)
				log, err := n.logs.Create(x)
				n.must(err)
				n.must(log.Close())
				n.here, n.shown, n.stays = []string{x}, c.newest, c.stays
				n.begin()
				time.Sleep(5 * time.Minute)
				if got := n.come(); !slices.Equal(got, []string{x}) || n.arrived != c.arrived || n.told != 1-c.arrived || n.owner(x) != "n" || !a.Taken {
					t.Errorf("%v are here, %d have come, %d times Core may have gone back", got, n.arrived, n.told)
				}
				n.end()
			})
		})
	}
}
