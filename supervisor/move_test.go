package supervisor_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	objectsmemory "github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/elsewhere"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/natives"
	"github.com/ringmaster-agents/ringmaster/supervisor/outbox"
	"github.com/ringmaster-agents/ringmaster/supervisor/pictures"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
	"go.uber.org/zap"
)

// peer is one of several nodes with a common workspace and a common Core, of which sessions move.
type peer struct {
	*node
	link    *corememory.Link
	disk    *faultyDisk
	moves   *placement.Placement
	cluster *elsewhere.Cluster
	natives atomic.Pointer[natives.Natives]

	pictures *pictures.Pictures
}

// pictured is the object store of all nodes; digests and sessions keep the tests apart.
var pictured objectsmemory.Place

// arriving are logs none of which comes without its record: a daemon that ends just then would not know what the session had used elsewhere, nor that it is pinned.
type arriving struct {
	store.Carrier
	t     *testing.T
	files disk.FS
	data  folder.Data
}

func (r arriving) Adopt(id string, stretches iter.Seq2[store.Stretch, error], beside func(dir string) error) error {
	err := r.Carrier.Adopt(id, stretches, beside)
	if err != nil {
		return err
	}
	f, err := r.files.Open(r.data.Record(id))
	if err != nil {
		r.t.Errorf("%s has come without its record: %v", id, err)
		return nil
	}
	return f.Close()
}

// startPeer starts one on its own data folder below base; its workspace, and what its agents keep, are the same for all.
func startPeer(t *testing.T, name byte, base string, place *corememory.Place, auto bool, change ...func(*supervisor.Config)) *peer {
	t.Helper()
	runtime.GC() // the encoders and decoders that are kept for whoever is next are of another test's bubble; the second one takes them
	runtime.GC()
	p := &peer{link: &corememory.Link{Place: place}, disk: &faultyDisk{FS: disk.OS()}}
	n := int(time.Now().Unix() % 1_000_000_000) // ids are new in each of a node's lives
	places := &placement.Workspaces{Auto: auto, Resumes: func(string) bool { return true }}
	connect := func(context.Context) (core.Core, error) {
		return cold.Join(p.link.Core(), func() (objects.Store, error) { return pictured.Store(), nil }), nil
	}
	log := zap.NewNop()
	if testing.Verbose() {
		log = zap.Must(zap.NewDevelopment()).Named(string(name))
	}
	d := &cored{place: place}
	d.daemon = start(t, base, func(cfg *supervisor.Config) {
		root := cfg.Roots[0]
		places.List = []placement.Workspace{{Name: "shop", Folder: root, Roots: []string{root}}}
		cfg.Data = filepath.Join(base, "data-"+string(name))
		cfg.Log, cfg.Files = log, p.disk
		cfg.Native = func(id string) { p.natives.Load().Note(id) }
		cfg.NewID = func() string {
			n++
			return fmt.Sprintf("%c0000000-0000-4000-8000-%012d", name, n)
		}
		cfg.Outbox = outbox.New(outbox.Config{
			Root: cfg.Data, Connect: connect, Place: places.Place, Log: log, Fenced: func(at core.Position) { p.moves.Fenced(at) },
		})
		if auto {
			cfg.Moves = places.Moves
		}
		for _, f := range change {
			f(cfg)
		}
	})
	s := d.Supervisor
	p.pictures = pictures.Begin(pictures.Config{
		Connect:  func(context.Context) (core.Core, error) { return p.link.Core(), nil },
		Open:     func() (objects.Store, error) { return pictured.Store(), nil },
		Sessions: func() []string { return ownIn(s) }, Images: s.Images, Has: p.has, Data: folder.Data{Root: d.cfg.Data}, Logs: s.Logs(), Log: log,
	})
	p.node = &node{d, elsewhere.Begin(s, elsewhere.Config{
		Connect: connect, Removing: d.cfg.Outbox.IsLeaving, Retired: d.cfg.Outbox.MayReturn, Log: log, Workspaces: places.Names(), Objects: true, Pictured: p.pictures.Note,
		Take:   func(ctx context.Context, id string, revive bool) error { return p.moves.Take(ctx, id, revive) },
		Drains: p.drains,
	})}
	d.cfg.Outbox.OnRetired(elsewhere.RetiredFrom(p.node.all))
	moved := elsewhere.NodeOf(p.all, d.cfg.Outbox, places)
	moved.Agents = func() []string { return []string{"scripted"} }
	moved.Files, moved.Data, moved.Boot = p.disk, folder.Data{Root: d.cfg.Data}, folder.BootID()
	moved.Logs = arriving{moved.Logs, t, moved.Files, moved.Data}
	p.natives.Store(natives.Begin(natives.Config{
		Connect: func(context.Context) (core.Core, error) { return p.link.Core(), nil },
		Open:    func() (objects.Store, error) { return pictured.Store(), nil },
		Node:    s.Instance(), Sessions: func() []string { return ownIn(s) }, Epoch: elsewhere.EpochIn(s), Written: supervisor.WrittenIn(s),
		Data: folder.Data{Root: d.cfg.Data}, Logs: s.Logs(), Log: log,
	}))
	come := moved.Moved
	moved.Moved = func(id string) {
		come(id)
		p.pictures.Note(id)
		p.natives.Load().Note(id)
	}
	moved.Archived = func(ctx context.Context, id string) {
		p.pictures.Put(ctx, id)
		p.natives.Load().Put(ctx, id)
	}
	p.moves = placement.Begin(placement.Config{
		Connect: connect, Life: d.cfg.Outbox.Life, Rejoin: d.cfg.Outbox.Rejoin, Answers: d.cfg.Outbox.Doubt, Owns: d.cfg.Outbox.Owns, Told: func() core.Beat { return core.Beat{Workspaces: places.Names()} }, Log: log,
		Node: moved,
	})
	d.cfg.Outbox.Begin(s)
	p.cluster = elsewhere.NewCluster(p.all)
	p.cluster.Drain, p.cluster.Draining, p.cluster.Join, p.cluster.Shelf = p.moves.Drain, p.moves.Draining, p.moves.Join, s.Logs()
	return p
}

func (p *peer) drains() bool {
	_, is := p.moves.Draining()
	return is
}

func (p *peer) end() {
	p.t.Helper()
	p.moves.Close()
	p.pictures.Close()
	p.natives.Load().Close()
	p.node.end()
}

// ownIn are the sessions that a supervisor has.
func ownIn(s *supervisor.Supervisor) (ids []string) {
	found, _, _ := s.Roster().Since(0)
	for _, one := range found {
		if !one.Away {
			ids = append(ids, one.ID)
		}
	}
	return ids
}

// lasting is a turn that takes a while.
const lasting = "work\n```script\n" + `[{"say":{"text":"One."}},{"say":{"text":"Two and three and four.","every":"30s"}}]` + "\n```"

// has says that a session is on the node itself.
func (p *peer) has(id string) bool {
	_, ok := p.Supervisor.Known(id)
	return ok
}

// awaits waits, at most for so long, until something is so.
func (p *peer) awaits(what string, most time.Duration, is func() bool) time.Duration {
	p.t.Helper()
	for begun := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		if synctest.Wait(); is() {
			return time.Since(begun)
		}
		if time.Since(begun) > most {
			p.t.Fatalf("after %v: not %s", most, what)
		}
	}
}

// aside are the names under which logs of a session were set aside.
func (p *peer) aside(id string) (names []string) {
	found, err := os.ReadDir(p.folder(id) + ".aside")
	if err != nil {
		return nil
	}
	for _, e := range found {
		names = append(names, e.Name())
	}
	return names
}

// hash is how a picture is named.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// TestSessionGoesOnElsewhere: a session that is at work at a node which is cut off goes on at another one, in a later epoch; the node that was cut off has
// stopped its agent before, lets the session go when it is back, keeps the end of its log that nobody else has, and serves the other one's.
//
// Proves: I16.6/auto
func TestSessionGoesOnElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, true), startPeer(t, 'b', base, place, true)
		a.awaits("sure", time.Minute, func() bool { return true })
		time.Sleep(2 * placement.Lease) // both have been steady for their leases
		x := a.create().ID
		a.turn(x)
		seq := a.prompt(x, lasting).Cursor.Seq
		a.until(x, seq, protocol.TypeTurnStart)
		settle()
		before := b.text(x)
		missing := []byte("a picture that is lost") // it is asked for first
		for ; hash(missing) > hash([]byte("a picture")); missing = append(missing, '!') {
		}
		for _, data := range [][]byte{missing, []byte("a picture")} {
			if put, err := cold.PutPicture(t.Context(), a.link.Core(), pictured.Store(), x, data); err != nil || !put {
				t.Fatal(put, err)
			}
		}
		for info, err := range pictured.Store().List(t.Context(), objects.SessionPrefix(x), "") {
			if err == nil && strings.Contains(info.Key, hash(missing)) {
				err = pictured.Store().Delete(t.Context(), info.Key)
			}
			if err != nil {
				t.Fatal(err)
			}
		}

		a.link.Leave()
		cut := time.Now()
		a.awaits("without an agent", placement.Lease, func() bool { return a.Health().Agents == 0 })
		parked := time.Since(cut)
		took := parked + b.awaits("taken over", 2*placement.Lease, func() bool { return b.has(x) })
		if parked >= took || took > placement.Lease+time.Second {
			t.Errorf("the agent was let go after %v, and the session taken over after %v", parked, took)
		}
		tail := a.file(x)
		b.until(x, seq, protocol.TypeTurnEnd)
		log := b.file(x)
		if !strings.HasPrefix(log, before) || strings.HasPrefix(log, tail) || !strings.Contains(log[len(before):], `"reason":"node lost"`) {
			t.Fatalf("the log was\n%s\nand is\n%s", before, log)
		}
		b.turn(x) // with an agent that knows what was said
		if data, err := os.ReadFile(filepath.Join(b.folder(x), "images", hash([]byte("a picture")))); err != nil || string(data) != "a picture" {
			t.Errorf("the picture has not come along: %q, %v", data, err)
		}

		a.link.Return()
		a.awaits("let go", time.Minute, func() bool { return !a.has(x) })
		settle()
		if got := a.text(x); got != b.file(x) {
			t.Error("the node that was cut off serves another log")
		}
		names := a.aside(x)
		if len(names) != 1 || !strings.HasPrefix(names[0], string(folder.Lost)) {
			t.Errorf("set aside: %v", names)
		}
		lost, err := a.cluster.Lost(t.Context(), x)
		if err != nil || len(lost) != 1 || lost[0].Name != names[0] || lost[0].Epoch != 1 {
			t.Fatalf("%+v, %v", lost, err)
		}
		lines, err := a.cluster.LostLines(t.Context(), x, names[0])
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(lines)
		kept := a.file(x + ".aside/" + names[0])
		if common := kept[:len(kept)-len(text)]; err != nil || !strings.HasSuffix(kept, string(text)) || !strings.HasPrefix(b.file(x), common) || !strings.HasPrefix(tail, common) {
			t.Errorf("lost is\n%s\nof\n%s", text, kept)
		}
		if first, err := protocol.Decode(text[:bytes.IndexByte(text, '\n')]); err != nil || first.Seq != lost[0].First {
			t.Error(first.Seq, err)
		}
		if lost, err := b.cluster.Lost(t.Context(), x); err != nil || len(lost) > 0 {
			t.Errorf("at the other node: %+v, %v", lost, err)
		}
		if _, err := a.cluster.LostLines(t.Context(), x, "moved.1"); code(err) != protocol.CodeNotFound {
			t.Error(err)
		}

		time.Sleep(48 * time.Hour) // it stays for as long as the session
		if len(a.aside(x)) != 1 {
			t.Error("what was lost was removed")
		}
		b.same(x)
		if err := b.all.Delete(t.Context(), x); err != nil {
			t.Fatal(err)
		}
		time.Sleep(12 * time.Hour)
		if len(a.aside(x)) != 0 {
			t.Error("what was lost of a session that was deleted stays")
		}
		a.end()
		b.end()
	})
}

// TestStayingSessionsWait: a session that stays with its node is taken by nobody, and goes on when the node is back.
//
// Proves: I16.6/stay
func TestStayingSessionsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, false), startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		a.turn(x)
		settle()
		a.link.Leave()
		time.Sleep(3 * placement.Lease)
		seq := a.prompt(x, "while nobody hears").Cursor.Seq // which stops nothing
		a.until(x, seq, protocol.TypeTurnEnd)
		b.lists(x)
		if sum, err := b.all.Look(t.Context(), x); err != nil || !sum.Unreachable {
			t.Errorf("%+v, %v", sum, err)
		}
		ref, err := b.all.Find(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.Ask(t.Context(), ref, &session.SendPrompt{Prompt: session.NewPrompt{Text: "no"}}); code(err) != protocol.CodeUnavailable || b.has(x) {
			t.Error(err)
		}
		a.link.Return()
		settle()
		a.turn(x)
		settle()
		if !a.has(x) || len(a.aside(x)) > 0 || b.text(x) != a.file(x) {
			t.Error("it has not stayed")
		}
		b.end()
		a.end()
		a.same(x)
	})
}

// TestDrainedNodeGivesItsSessionsAway: the sessions of a node that drains go on at the next one that somebody asks, with no other epoch and nothing lost; the
// node takes nothing any more, and makes no sessions but such as work for those that it has.
//
// Proves: I16.6/drain
func TestDrainedNodeGivesItsSessionsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, false), startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		a.turn(x)
		settle()
		a.end() // x is of an earlier life then
		a = startPeer(t, 'a', base, place, false)
		y := a.create().ID
		seq := a.prompt(y, lasting).Cursor.Seq
		a.until(y, seq, protocol.TypeTurnStart)
		settle()
		begun := time.Now()
		a.moves.Drain(5 * time.Second)
		want := supervisor.NewSession{Agent: "scripted", Cwd: a.root}
		if _, err := a.all.Create(t.Context(), want); code(err) != protocol.CodeUnavailable {
			t.Error(err)
		}
		want.ParentID = y
		child, err := a.all.Create(t.Context(), want)
		if err != nil {
			t.Fatal(err)
		}
		a.awaits("given away", time.Minute, func() bool { left, is := a.moves.Draining(); return is && left == 0 })
		if took := time.Since(begun); took < 5*time.Second || took > 15*time.Second || a.has(x) || a.has(y) {
			t.Errorf("it took %v", took)
		}
		settle()
		b.lists(x, y, child.ID)
		for _, id := range []string{x, y} {
			was := b.text(id)
			ref, err := b.all.Find(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			r, err := session.Ask(t.Context(), ref, &session.SendPrompt{Prompt: session.NewPrompt{Text: "go on"}})
			if err != nil {
				t.Fatal(err)
			}
			b.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
			if log := b.file(id); !strings.HasPrefix(log, was) || strings.Contains(log, `"type":"epoch"`) {
				t.Errorf("the log was\n%s\nand is\n%s", was, log)
			}
			if names := a.aside(id); len(names) != 1 || !strings.HasPrefix(names[0], string(folder.Moved)) {
				t.Errorf("set aside: %v", names)
			}
		}
		if err := a.moves.Take(t.Context(), x, false); code(err) != protocol.CodeUnavailable {
			t.Error(err)
		}
		n, err := a.cluster.DrainNode(t.Context(), elsewhere.Here, 0)
		if err != nil || !n.Here || n.State != string(core.StateDraining) || n.Leaving != 0 {
			t.Errorf("%+v, %v", n, err)
		}
		if _, err := b.cluster.DrainNode(t.Context(), a.Instance(), 0); code(err) != protocol.CodeUnavailable {
			t.Error(err)
		}
		if _, err := b.cluster.ForgetNode(t.Context(), a.Instance()); code(err) != protocol.CodeConflict {
			t.Error(err)
		}
		if _, err := b.cluster.ForgetNode(t.Context(), "none"); code(err) != protocol.CodeNotFound {
			t.Error(err)
		}
		time.Sleep(36 * time.Hour)
		if len(a.aside(x)) != 0 {
			t.Error("what was given away a day ago is there still")
		}
		settle()
		if a.text(x) != b.file(x) {
			t.Error("the drained node does not serve it")
		}
		b.end()
		a.end()
		b.same(x)
		b.same(y)
	})
}

// TestDrainedNodeJoinsAgain: a node that was told to drain and then to join keeps what it has not given away, a turn at work with it, and takes sessions as
// any other.
//
// Proves: I16.6/join
func TestDrainedNodeJoinsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, false), startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		x, y := a.create().ID, a.create().ID
		a.turn(x)
		settle()
		seq := a.prompt(y, lasting).Cursor.Seq
		a.until(y, seq, protocol.TypeTurnStart)
		synctest.Wait()
		a.moves.Drain(time.Hour)
		nodes, err := a.cluster.Nodes(t.Context())
		here := slices.IndexFunc(nodes, func(n roster.Node) bool { return n.Here })
		if err != nil || len(nodes) != 2 || here < 0 || nodes[here].State != string(core.StateDraining) { // Core has not heard of it
			t.Errorf("%+v, %v", nodes, err)
		}
		a.awaits("given away", time.Minute, func() bool { return !a.has(x) })
		if _, err := b.cluster.JoinNode(t.Context(), a.Instance()); code(err) != protocol.CodeUnavailable {
			t.Error(err)
		}
		n, err := a.cluster.JoinNode(t.Context(), elsewhere.Here)
		if _, is := a.moves.Draining(); err != nil || !n.Here || n.State != string(core.StateUp) || n.Leaving != 0 || is {
			t.Errorf("%+v, %v; it drains: %t", n, err, is)
		}
		a.until(y, seq, protocol.TypeTurnEnd)
		settle()
		nodes, err = b.cluster.Nodes(t.Context())
		if err != nil || len(nodes) != 2 || nodes[0].State != string(core.StateUp) || nodes[1].State != string(core.StateUp) {
			t.Errorf("%+v, %v", nodes, err)
		}
		ref, err := a.all.Find(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		r, err := session.Ask(t.Context(), ref, &session.SendPrompt{Prompt: session.NewPrompt{Text: "go on"}})
		if err != nil {
			t.Fatal(err)
		}
		a.until(x, r.Cursor.Seq, protocol.TypeTurnEnd)
		settle()
		life, _ := a.cfg.Outbox.Life()
		if _, err := a.cluster.JoinNode(t.Context(), elsewhere.Here); err != nil { // it does not drain
			t.Error(err)
		}
		settle()
		if now, ok := a.cfg.Outbox.Life(); !ok || now != life {
			t.Errorf("a node that does not drain has begun another life: %+v, %+v", life, now)
		}
		for _, id := range []string{x, y} {
			if log := a.file(id); !a.has(id) || b.text(id) != log || strings.Contains(log, `"type":"epoch"`) || strings.Contains(log, `"interrupted"`) {
				t.Errorf("%s is at the node: %t; its log is\n%s", id, a.has(id), log)
			}
		}
		a.moves.Drain(0)
		a.awaits("given away again", time.Minute, func() bool { left, _ := a.moves.Draining(); return left == 0 })
		b.end()
		a.end()
	})
}

// TestDrainedQueueGoesOn: a session that is given away with a prompt that waits goes on at another node without anybody asking, with no other epoch. It is in the
// list of its old node all the time.
//
// Proves: I16.6/drain-queue
func TestDrainedQueueGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, false), startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		seq := a.prompt(x, lasting).Cursor.Seq
		a.until(x, seq, protocol.TypeTurnStart)
		seq = a.prompt(x, "and then this").Cursor.Seq
		settle()
		_, revision, _ := a.all.Roster().Since(0)
		a.moves.Drain(0)
		a.awaits("given away", time.Minute, func() bool { return !a.has(x) })
		begun := time.Now()
		b.awaits("taken up", time.Minute, func() bool { return b.has(x) })
		if took := time.Since(begun); took > time.Second {
			t.Errorf("it took %v", took)
		}
		b.until(x, seq, protocol.TypeTurnEnd) // of the one that was interrupted
		b.awaits("at rest", time.Minute, func() bool { return strings.Contains(b.file(x), `"turnId":"t2","status":"completed"`) })
		if log := b.file(x); strings.Contains(log, `"type":"epoch"`) {
			t.Error(log)
		}
		settle()
		changed, _, ok := a.all.Roster().Since(revision)
		if !ok || len(changed) != 1 || changed[0].Gone || !changed[0].Away || changed[0].Summary().Node != b.Instance() {
			t.Errorf("the list of its old node shows %+v", changed)
		}
		b.end()
		a.end()
		b.same(x)
	})
}

// TestDrainedNodeWaitsForCore: what Core does not have yet is not given away: the session stays, and can be worked with, until it has.
//
// Proves: I16.6/drain-waits
func TestDrainedNodeWaitsForCore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, false), startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		a.turn(x)
		settle()
		place.Disturb(func(op string) error {
			if op == "append" {
				return errors.New("the disk of the database is full")
			}
			return nil
		}, nil)
		a.turn(x)
		a.moves.Drain(0)
		time.Sleep(2 * time.Minute)
		left, is := a.moves.Draining()
		if !is || left != 1 || !a.has(x) || len(a.aside(x)) > 0 {
			t.Fatalf("%d are left, %t", left, is)
		}
		shown := a.file(x)
		place.Disturb(nil, nil)
		a.awaits("given away", 2*time.Minute, func() bool { left, _ := a.moves.Draining(); return left == 0 })
		settle()
		if got := b.text(x); !strings.HasPrefix(got, shown) {
			t.Errorf("what was shown was\n%s\nand is\n%s", shown, got)
		}
		b.end()
		a.end()
	})
}

// TestClaimedAndNotTakenIn: a node that dies between its claim and the session's folder, or between the folder's removal and the release, finds the session in
// Core at its next start; so does one of which the folder has lost it.
//
// Proves: I16.6/half-moved
func TestClaimedAndNotTakenIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, false), startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		a.turn(x)
		a.moves.Drain(0)
		a.awaits("given away", time.Minute, func() bool { left, is := a.moves.Draining(); return is && left == 0 })
		life, _ := b.cfg.Outbox.Life()
		b.end()
		c := place.Core()
		defer c.Close()
		if got, err := c.Claim(t.Context(), life, core.Want{Sessions: []string{x}}); err != nil || len(got.Taken) != 1 {
			t.Fatal(got, err)
		}
		b = startPeer(t, 'b', base, place, false)
		b.awaits("here", time.Minute, func() bool { return b.has(x) })
		b.turn(x)
		settle()
		if b.text(x) != a.text(x) || strings.Count(b.file(x), `"type":"epoch"`) != 1 {
			t.Error("it does not go on in an epoch of its own")
		}

		// the folder has gone, and Core has not heard of that
		place.Disturb(func(op string) error {
			if op == "release" {
				return errors.New("no answer")
			}
			return nil
		}, nil)
		b.moves.Drain(0)
		b.awaits("away", time.Minute, func() bool { return !b.has(x) })
		b.end()
		place.Disturb(nil, nil)
		b = startPeer(t, 'b', base, place, false)
		b.awaits("here", time.Minute, func() bool { return b.has(x) })
		b.turn(x)
		settle()

		// the data folder loses it
		b.end()
		before := b.file(x)
		if err := os.RemoveAll(b.folder(x)); err != nil {
			t.Fatal(err)
		}
		b = startPeer(t, 'b', base, place, false)
		b.awaits("here", time.Minute, func() bool { return b.has(x) })
		b.turn(x)
		if log := b.file(x); !strings.HasPrefix(log, before) || strings.Count(log, `"type":"epoch"`) != 3 {
			t.Errorf("the log was\n%s\nand is\n%s", before, log)
		}
		a.end()
		b.end()
		b.same(x)
	})
}

// TestNodeComesBackToWhatOthersHave: a node that was down for longer than its lease finds at its start which sessions others have taken, before it does anything
// with them; it joins again where it was declared dead, and keeps those that were at rest.
//
// Proves: I16.6/comes-back
func TestNodeComesBackToWhatOthersHave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, true), startPeer(t, 'b', base, place, true)
		time.Sleep(2 * placement.Lease)
		x, y := a.create().ID, a.create().ID
		a.turn(y)
		seq := a.prompt(x, lasting).Cursor.Seq
		a.until(x, seq, protocol.TypeTurnStart)
		settle()
		a.link.FallSilent() // it ends without a word to Core, which thinks that the turn runs
		a.end()
		before := a.file(x)
		b.awaits("taken over", 2*placement.Lease, func() bool { return b.has(x) })
		a = startPeer(t, 'a', base, place, true)
		a.awaits("let go", time.Minute, func() bool { return !a.has(x) })
		settle()
		if !a.has(y) || len(a.aside(y)) > 0 {
			t.Error("a session at rest, which nobody has taken, was let go")
		}
		a.lists(x, y)
		names := a.aside(x)
		if len(names) != 1 {
			t.Fatalf("set aside: %v", names)
		}
		if got := a.file(x + ".aside/" + names[0]); got != before {
			t.Errorf("it was\n%s\nand was written to:\n%s", before, got)
		}
		time.Sleep(3 * placement.Lease) // it has y again in this life, and nobody gets it
		if err := b.moves.Take(t.Context(), y, false); code(err) != protocol.CodeUnavailable || b.has(y) {
			t.Error(err)
		}
		a.turn(y)
		if has := a.InCore(t.Context(), y); has == nil || !*has {
			t.Error("Core takes nothing of it")
		}
		c := place.Core()
		defer c.Close()
		nodes, err := c.Nodes(t.Context(), false)
		if err != nil || len(nodes) != 2 || nodes[0].State != core.StateUp || nodes[1].State != core.StateUp {
			t.Errorf("%+v, %v", nodes, err)
		}
		b.end()
		a.end()
	})
}

// TestForgottenFolder: a session in a folder that no other node has is refused with what can be done, as long as its node does not come back; once that node is
// said to be gone for good, another one takes the session when it is told to, and deletes it.
//
// Proves: I16.6/forgotten
func TestForgottenFolder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, alone, place := t.TempDir(), t.TempDir(), new(corememory.Place)
		a := startPeer(t, 'a', base, place, false, func(cfg *supervisor.Config) { cfg.Roots = append(cfg.Roots, alone) })
		b := startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		made, err := a.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: alone})
		if err != nil {
			t.Fatal(err)
		}
		x := made.ID
		a.turn(x)
		settle()
		before := b.text(x)
		a.link.FallSilent()
		a.end()
		time.Sleep(2 * placement.Lease)
		b.lists(x)
		settle()
		var told *protocol.Problem
		if err := b.all.Delete(t.Context(), x); !errors.As(err, &told) || told.Code != protocol.CodeUnavailable || !strings.Contains(told.Hint, "node forget") {
			t.Errorf("%v", err)
		}
		if n, err := b.cluster.ForgetNode(t.Context(), a.Instance()); err != nil || n.State != string(core.StateLeft) {
			t.Fatal(n, err)
		}
		settle()
		if err := b.all.Delete(t.Context(), x); !errors.As(err, &told) || told.Code != protocol.CodeUnavailable || !strings.Contains(told.Hint, "node take") {
			t.Errorf("%v", err)
		}
		if err := b.cluster.TakeOver(t.Context(), x); err != nil || !b.has(x) || !strings.HasPrefix(b.file(x), before) {
			t.Fatal(err)
		}
		if err := b.all.Delete(t.Context(), x); err != nil {
			t.Fatal(err)
		}
		settle()
		b.lists()
		b.end()
	})
}

// TestForgottenNode: a session that stays with its node is closed to all while that one may come back; once it is said to be gone for good, another node goes on
// with it when it is told to.
//
// Proves: I16.6/forgotten
func TestForgottenNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, false), startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		seq := a.prompt(x, lasting).Cursor.Seq
		a.until(x, seq, protocol.TypeTurnStart)
		settle()
		before := b.text(x)
		a.link.Leave()
		time.Sleep(2 * placement.Lease)
		if err := b.cluster.TakeOver(t.Context(), x); code(err) != protocol.CodeUnavailable || !strings.Contains(err.Error(), "forget") {
			t.Error(err)
		}
		if n, err := b.cluster.ForgetNode(t.Context(), a.Instance()); err != nil || n.State != string(core.StateLeft) {
			t.Fatal(n, err)
		}
		if err := b.cluster.TakeOver(t.Context(), x); err != nil || !b.has(x) {
			t.Fatal(err)
		}
		b.turn(x)
		if log := b.file(x); !strings.HasPrefix(log, before) || !strings.Contains(log, `"reason":"node lost"`) {
			t.Errorf("the log is\n%s", log)
		}
		a.link.Return() // it was not gone after all
		a.awaits("let go", time.Minute, func() bool { return !a.has(x) })
		settle()
		if a.text(x) != b.file(x) {
			t.Error("it serves another log")
		}
		z := a.create().ID // it is a node as any other
		a.turn(z)
		settle()
		if b.text(z) != a.file(z) {
			t.Error("what it makes from then on is not in Core")
		}
		a.end()
		b.end()
		b.same(x)
	})
}

// TestFamilyMoves: a session and those that it has made go together, and none of them ends on the way.
//
// Proves: I16.6/families
func TestFamilyMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, true), startPeer(t, 'b', base, place, true)
		time.Sleep(2 * placement.Lease)
		x := a.create()
		made, err := a.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: a.root, ParentID: x.ID, Spawned: true})
		if err != nil {
			t.Fatal(err)
		}
		y := made.Summary.ID
		a.turn(y)
		settle()
		a.moves.Drain(0)
		a.awaits("given away", time.Minute, func() bool { left, is := a.moves.Draining(); return is && left == 0 })
		settle()
		if err := b.cluster.TakeOver(t.Context(), y); err != nil || !b.has(x.ID) || !b.has(y) {
			t.Fatalf("%v; the one: %t, the other: %t", err, b.has(x.ID), b.has(y))
		}
		b.turn(y)
		b.turn(x.ID)
		seq := b.prompt(y, lasting).Cursor.Seq
		b.until(y, seq, protocol.TypeTurnStart)
		settle()
		b.link.Leave() // and back, unasked, since one of them is at work
		a.end()
		a = startPeer(t, 'a', base, place, true)
		a.awaits("taken over", 3*placement.Lease, func() bool { return a.has(x.ID) && a.has(y) })
		a.until(y, seq, protocol.TypeTurnEnd)
		for _, id := range []string{x.ID, y} {
			if sum, err := a.Look(t.Context(), id); err != nil || sum.Status.State.Ended() {
				t.Errorf("%s is %s, %v", id, sum.Status.State, err)
			}
		}
		a.end()
		b.end()
	})
}

// TestCoreGoesBackWhileASessionGoes: Core loses the end of a session's log between the moment in which it had all and that in which it is given to nobody. The
// session comes back, in an epoch that says so, and goes then; the folder that was set aside has what was lost.
//
// Proves: I16.6/drain-waits
func TestCoreGoesBackWhileASessionGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, false), startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		a.turn(x)
		settle()
		earlier, had := place.Moment(), a.file(x)
		a.turn(x)
		shown := a.file(x)
		place.Disturb(func(op string) error {
			if op == "release" {
				return errors.New("no answer")
			}
			return nil
		}, nil)
		a.moves.Drain(0)
		a.awaits("away", time.Minute, func() bool { return !a.has(x) })
		place.GoBack(earlier)
		place.Disturb(nil, nil)
		a.awaits("given away", 5*time.Minute, func() bool { left, _ := a.moves.Draining(); return left == 0 && !a.has(x) })
		settle()
		log := b.text(x)
		if !strings.HasPrefix(log, had) || !strings.Contains(log[len(had):], `"type":"epoch"`) || strings.HasPrefix(log, shown) {
			t.Errorf("the log was\n%s\nand is\n%s", shown, log)
		}
		if names := a.aside(x); len(names) == 0 || !strings.HasPrefix(a.file(x+".aside/"+names[0]), shown) {
			t.Errorf("set aside: %v", names)
		}
		a.end()
		b.end()
	})
}

// TestCoreForgetsThatSessionsHaveMoved: Core is restored from a backup that was made before a session was given away, or taken over. Who has it goes on with all
// that was said, and Core has that again; who had it stays without.
//
// Proves: I16.6/forgotten-claim
func TestCoreForgetsThatSessionsHaveMoved(t *testing.T) {
	for name, move := range map[string]func(a, b *peer, x string){
		"given away": func(a, b *peer, x string) {
			a.moves.Drain(0)
			a.awaits("given away", time.Minute, func() bool { left, _ := a.moves.Draining(); return left == 0 && !a.has(x) })
			if err := b.moves.Take(b.t.Context(), x, false); err != nil {
				b.t.Fatal(err)
			}
		},
		"taken over": func(a, b *peer, x string) {
			seq := a.prompt(x, lasting).Cursor.Seq
			a.until(x, seq, protocol.TypeTurnStart)
			settle()
			a.link.Leave()
			b.awaits("taken over", 2*placement.Lease, func() bool { return b.has(x) })
			a.link.Return()
			a.awaits("let go", time.Minute, func() bool { return !a.has(x) })
			b.until(x, seq, protocol.TypeTurnEnd)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base, place := t.TempDir(), new(corememory.Place)
				a, b := startPeer(t, 'a', base, place, true), startPeer(t, 'b', base, place, true)
				time.Sleep(2 * placement.Lease)
				x := a.create().ID
				a.turn(x)
				settle()
				earlier := place.Moment()
				move(a, b, x)
				aside := len(a.aside(x))
				b.turn(x)
				settle()
				place.GoBack(earlier)
				time.Sleep(10 * time.Second)
				b.turn(x)
				time.Sleep(3 * placement.Lease)
				if !b.has(x) || a.has(x) || len(b.aside(x)) > 0 || len(a.aside(x)) != aside {
					t.Errorf("at a: %t, %v, at b: %t, %v", a.has(x), a.aside(x), b.has(x), b.aside(x))
				}
				if has := b.InCore(t.Context(), x); has == nil || !*has {
					t.Error("Core takes nothing of it")
				}
				log := b.file(x)
				a.awaits("the same is served at the other node", time.Minute, func() bool { return a.text(x) == log })
				if n := strings.Count(log, `"type":"turn_end"`); n < 3 {
					t.Errorf("%d turns are left", n)
				}
				a.end()
				b.end()
			})
		})
	}
}

// TestFullDiskWhileSessionsMove: a node whose disk is full claims a session that it cannot store, and leaves it to others; it serves it from Core meanwhile. One
// whose disk fills up gives away what it has.
//
// Proves: I16.6/full-disk
func TestFullDiskWhileSessionsMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, true), startPeer(t, 'b', base, place, true)
		full := func(string) error { return syscall.ENOSPC }
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		a.turn(x)
		seq := a.prompt(x, lasting).Cursor.Seq
		a.until(x, seq, protocol.TypeTurnStart)
		settle()
		before := b.text(x)
		b.disk.set(full)
		a.link.Leave()
		a.awaits("without an agent", placement.Lease, func() bool { return a.Health().Agents == 0 })
		time.Sleep(3 * placement.Lease)
		if b.has(x) || b.text(x) != before {
			t.Errorf("at b: %t, and its log is\n%s\nnot\n%s", b.has(x), b.text(x), before)
		}
		if left, err := filepath.Glob(b.folder(x) + "*"); err != nil || len(left) > 0 {
			t.Errorf("%v is left, %v", left, err)
		}
		if err := b.moves.Take(t.Context(), x, false); code(err) != protocol.CodeUnavailable || !strings.Contains(err.Error(), "disk") {
			t.Errorf("asked for it, it says %v", err)
		}
		a.link.Return() // another node, with room
		a.awaits("taken in", time.Minute, func() bool { return a.has(x) && len(a.aside(x)) > 0 })
		a.until(x, seq, protocol.TypeTurnEnd)
		if log := a.file(x); !strings.HasPrefix(log, before) || !strings.Contains(log[len(before):], `"type":"epoch"`) {
			t.Errorf("the log was\n%s\nand is\n%s", before, log)
		}
		settle()

		a.disk.set(full)
		a.moves.Drain(0)
		a.awaits("given away", time.Minute, func() bool { left, _ := a.moves.Draining(); return left == 0 && !a.has(x) })
		a.disk.set(nil)
		b.disk.set(nil)
		if err := b.moves.Take(t.Context(), x, false); err != nil {
			t.Fatal(err)
		}
		b.turn(x)
		if n := strings.Count(b.file(x), `"type":"turn_end"`); n != 3 {
			t.Errorf("%d turns are left", n)
		}
		a.end()
		b.end()
	})
}

// TestAttachedSessionsStay: a session whose agent somebody else runs is its node's alone, whatever workspace it is in.
//
// Proves: I16.6/drain
func TestAttachedSessionsStay(t *testing.T) {
	place := new(corememory.Place)
	family(t, with(place, nil), func(d *daemon, _ *servers) {
		d.cfg.Outbox.Begin(d.Supervisor)
		n := attached("http://127.0.0.1:4096")
		n.Cwd = d.root
		s, err := d.Create(d.t.Context(), n)
		if err != nil {
			d.t.Fatal(err)
		}
		own := d.member()
		places := &placement.Workspaces{
			List: []placement.Workspace{{Name: "shop", Folder: d.root, Roots: []string{d.root}}}, Resumes: func(string) bool { return true },
		}
		e := elsewhere.Begin(d.Supervisor, elsewhere.Config{
			Connect:  func(context.Context) (core.Core, error) { return place.Core(), nil },
			Removing: d.cfg.Outbox.IsLeaving, Log: zap.NewNop(),
		})
		settle()
		for _, here := range elsewhere.NodeOf(e, d.cfg.Outbox, places).Here() {
			if want := here.ID == own.ID; here.Placed != want || !want && here.ID != s.ID {
				d.t.Errorf("%+v", here)
			}
		}
		e.Close()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(d.t.Context()), time.Second)
		defer cancel()
		d.cfg.Outbox.Close(ctx)
	})
}

// TestWhoseItIsNow: while nobody looks at the list, what it says of a session's node may be half a minute old. What is passed on goes by what is known of the node
// itself; before a change is refused, Core says whose the session is, and whether that node is silent.
//
// Proves: I16.7/whose
func TestWhoseItIsNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b, c := startPeer(t, 'a', base, place, true), startPeer(t, 'b', base, place, true), startPeer(t, 'c', base, place, true)
		atB, atC := elsewhere.WhereOf(b.all), elsewhere.WhereOf(c.all)
		x, y := a.create().ID, a.create().ID
		a.turn(x)
		a.turn(y)
		time.Sleep(75 * time.Second) // the lists have both
		is := func(n *peer, id, node string, silent bool) {
			t.Helper()
			if d, ok := n.all.Known(id); !ok || d.Ended {
				t.Fatal("the list does not have it")
			}
			if sum, err := n.all.Look(t.Context(), id); err != nil || sum.Node != node || sum.Unreachable != silent {
				t.Fatalf("the list has it at %q, silent: %t; want %q, %t: %v", sum.Node, sum.Unreachable, node, silent, err)
			}
		}
		owner := func(what, got, want string) {
			t.Helper()
			if got != want {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		prompt := func(n *peer, id string) {
			t.Helper()
			ref, err := n.all.Find(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			r, err := session.Ask(t.Context(), ref, &session.SendPrompt{Prompt: session.NewPrompt{Text: "go on"}})
			if err != nil || !n.has(id) {
				t.Fatal(err)
			}
			n.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
		}
		owner("it is there", atB.OwnerNow(t.Context(), x), a.Instance())

		a.link.Leave()
		time.Sleep(placement.Lease + 3*time.Second)
		is(b, x, a.Instance(), false)
		owner("as far as is known", atB.Owner(t.Context(), x, true), a.Instance())
		owner("its node is silent", atB.OwnerNow(t.Context(), x), "")
		owner("as in the list", atC.Owner(t.Context(), x, true), a.Instance())
		prompt(b, x)
		is(c, x, a.Instance(), false)
		owner("another has it now", atC.OwnerNow(t.Context(), x), b.Instance())
		prompt(b, y)

		time.Sleep(time.Minute) // the lists know of that, and nobody looks at them
		b.moves.Drain(0)
		b.awaits("given away", time.Minute, func() bool { left, is := b.moves.Draining(); return is && left == 0 })
		time.Sleep(31 * time.Second)
		is(c, x, roster.Nobody, false)
		owner("nobody has it", atC.Owner(t.Context(), x, true), "")
		d := startPeer(t, 'd', base, place, true)
		d.awaits("sure", time.Minute, func() bool { return d.moves.Take(t.Context(), x, false) == nil })
		is(c, x, roster.Nobody, false)
		owner("for who reads", atC.Owner(t.Context(), x, false), "")
		owner("for a change", atC.Owner(t.Context(), x, true), d.Instance())
		owner("then for who reads", atC.Owner(t.Context(), x, false), d.Instance())

		time.Sleep(31 * time.Second)
		d.link.Leave()
		time.Sleep(placement.Lease + 31*time.Second)
		is(c, x, d.Instance(), true)
		owner("silent in the list alone", atC.Owner(t.Context(), x, true), d.Instance()) // whoever passes on knows better
		if err := c.all.Delete(t.Context(), x); err != nil {
			t.Fatal(err)
		}
		for _, n := range []*peer{a, b, c, d} {
			n.end()
		}
	})
}
