package supervisor_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/elsewhere"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
	"go.uber.org/zap"
)

// node is a daemon with a Core that knows of the sessions of other nodes.
type node struct {
	*cored
	all *elsewhere.Elsewhere
}

// startNode starts one; its sessions have ids of its own.
func startNode(t *testing.T, name byte, data string, place *corememory.Place, most int) *node {
	t.Helper()
	n := 0
	c := startCored(t, data, place, func(cfg *supervisor.Config) {
		cfg.NewID = func() string {
			n++
			return fmt.Sprintf("%c0000000-0000-4000-8000-%012d", name, n)
		}
	})
	return &node{c, elsewhere.Begin(c.Supervisor, elsewhere.Config{
		Connect:  func(context.Context) (core.Core, error) { return place.Core(), nil },
		Removing: c.cfg.Outbox.IsLeaving, Log: zap.NewNop(), Most: most,
	})}
}

func (n *node) end() {
	n.t.Helper()
	n.all.Close()
	n.cored.end()
}

// ids are the sessions that the list has.
func (n *node) ids(q supervisor.Query) (ids []string, partial bool) {
	n.t.Helper()
	page, err := n.all.List(n.t.Context(), q)
	if err != nil {
		n.t.Fatal(err)
	}
	for i := range page.Sessions {
		ids = append(ids, page.Sessions[i].ID)
	}
	slices.Sort(ids)
	return ids, page.Partial
}

func (n *node) lists(want ...string) {
	n.t.Helper()
	got, partial := n.ids(supervisor.Query{})
	if !slices.Equal(got, want) || partial {
		n.t.Fatalf("the list has %v, partial: %t; want %v", got, partial, want)
	}
}

func (n *node) reader(id string) *session.Reader {
	n.t.Helper()
	ref, err := n.all.Find(n.t.Context(), id)
	if err != nil {
		n.t.Fatal(err)
	}
	r, err := ask.Ask(n.t.Context(), ref, func(r ask.Reply[*session.Reader]) session.Message { return &session.Join{Reply: r, Name: "test"} })
	if err != nil {
		n.t.Fatal(err)
	}
	return r
}

// text is a session's log as the node serves it.
func (n *node) text(id string) string {
	n.t.Helper()
	ref, err := n.all.Find(n.t.Context(), id)
	if err != nil {
		n.t.Fatal(err)
	}
	text, err := textOf(n.t, ref)
	if err != nil {
		n.t.Fatal(err)
	}
	return text
}

func textOf(t *testing.T, ref session.Ref) (string, error) {
	t.Helper()
	r, err := ask.Ask(t.Context(), ref, func(r ask.Reply[*session.Reader]) session.Message { return &session.Join{Reply: r, Name: "test"} })
	if err != nil {
		return "", err
	}
	defer r.Leave()
	part, err := r.Log.Range(0, r.Ring.Head())
	if err != nil {
		return "", err
	}
	defer part.Close()
	b, err := io.ReadAll(part)
	return string(b), err
}

// turn has a session of the node say something.
func (n *node) turn(id string) {
	n.t.Helper()
	n.until(id, n.prompt(id, "hello there").Cursor.Seq, protocol.TypeTurnEnd)
}

// TestAnyNodeTellsOfAnySession: two nodes on one Core each list what both have and serve its logs, byte for byte, while it is at work, at rest, and once its node
// is gone.
//
// Proves: I16.4/read-any-node
func TestAnyNodeTellsOfAnySession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		place := new(corememory.Place)
		a, b := startNode(t, 'a', t.TempDir(), place, 0), startNode(t, 'b', t.TempDir(), place, 0)
		x, y := a.create().ID, b.create().ID
		a.turn(x)
		b.turn(y)
		settle()
		a.lists(x, y)
		b.lists(x, y)
		if got, _ := b.ids(supervisor.Query{Cwd: a.root}); !slices.Equal(got, []string{x}) {
			t.Errorf("in the folder of the one there are %v", got)
		}
		for _, n := range []*node{a, b} {
			for _, own := range []struct {
				id string
				of *node
			}{{x, a}, {y, b}} {
				if got, want := n.text(own.id), own.of.file(own.id); got != want {
					t.Fatalf("the log of %s is\n%s\nwant\n%s", own.id, got, want)
				}
				sum, err := n.all.Look(t.Context(), own.id)
				if err != nil || (sum.Node == "") != (n == own.of) || sum.Turns != 1 {
					t.Fatalf("%+v, %v", sum, err)
				}
			}
		}
		e, ok := b.all.Known(x)
		if !ok || e.Cwd != a.root || e.Ref.Valid() {
			t.Errorf("%+v, %t", e, ok)
		}

		// who reads on the other node follows the work
		r := b.reader(x)
		seq := a.prompt(x, "and again").Cursor.Seq
		a.until(x, seq, protocol.TypeTurnEnd)
		settle()
		if r.Ring.State() != ring.Open || r.Ring.Head() != a.reader(x).Ring.Head() {
			t.Errorf("it is shown up to %d", r.Ring.Head())
		}
		page, err := b.all.List(t.Context(), supervisor.Query{Limit: 1, Cwd: a.root})
		if err != nil || page.Sessions[0].Seq != r.Ring.Head() || page.Sessions[0].Turns != 2 {
			t.Errorf("%+v, %v", page, err)
		}
		want := a.file(x)
		a.end()
		settle()
		b.lists(x, y)
		if got := b.text(x); len(got) < len(want) || got[:len(want)] != want {
			t.Error("with its node the log has gone")
		}
		rest, err := b.all.AtRest(t.Context(), x)
		if head := b.reader(x).Ring.Head(); err != nil || rest == nil || rest.Seq != head || rest.Node != a.Instance() || rest.Turns != 2 {
			t.Errorf("at rest with %d: %+v, %v", head, rest, err)
		}
		r.Leave()
		b.end()
		for id, of := range map[string]*node{x: a, y: b} {
			of.same(id)
		}
	})
}

// TestOtherNodesChangeNothing: what would change a session is left to its own node, with a word that says so.
//
// Proves: I16.4/read-refusals
func TestOtherNodesChangeNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		place := new(corememory.Place)
		a, b := startNode(t, 'a', t.TempDir(), place, 0), startNode(t, 'b', t.TempDir(), place, 0)
		x := a.create().ID
		a.turn(x)
		settle()
		b.lists(x)
		before := a.file(x)
		ctx := t.Context()
		ref, err := b.all.Find(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		_, prompt := session.Ask(ctx, ref, &session.SendPrompt{Prompt: session.NewPrompt{Text: "no"}})
		_, child := b.all.Create(ctx, supervisor.NewSession{Agent: "scripted", Cwd: b.root, ParentID: x})
		_, claim := b.all.Claim(ctx, supervisor.NewSession{Agent: "scripted", Cwd: b.root}, x)
		_, spending := b.all.Spending(ctx, x)
		_, raw := b.all.Raw(ctx, x)
		_, whole := b.all.WholeText(ctx, x, supervisor.CutEntry{})
		sum, _ := b.all.Look(ctx, x)
		for name, err := range map[string]error{
			"prompt": prompt, "child": child, "claim": claim, "spending": spending, "raw": raw, "whole text": whole,
			"folder": b.all.CheckFolder(ctx, x), "delete": b.all.Delete(ctx, x), "delete listed": b.all.DeleteListed(ctx, &sum), "pin": b.all.Retention().Pin(ctx, x, true),
		} {
			if code(err) != protocol.CodeUnavailable {
				t.Errorf("%s: %v", name, err)
			}
		}
		nowhere := "00000000-0000-4000-8000-000000000999"
		_, find := b.all.Find(ctx, nowhere)
		_, look := b.all.Look(ctx, nowhere)
		_, rest := b.all.AtRest(ctx, nowhere)
		for name, err := range map[string]error{
			"find": find, "look": look, "rest": rest, "delete": b.all.Delete(ctx, nowhere), "no id": b.all.Delete(ctx, "../x"), "pin": b.all.Retention().Pin(ctx, nowhere, true),
		} {
			if code(err) != protocol.CodeSessionNotFound {
				t.Errorf("%s of no session: %v", name, err)
			}
		}
		settle()
		if a.file(x) != before {
			t.Error("it was changed")
		}
		b.end()
		a.end()
	})
}

// TestListOfOthersFollows: what others make, change and delete is in the list within seconds while somebody looks, and told to whoever follows it.
//
// Proves: I16.4/read-list
func TestListOfOthersFollows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		place := new(corememory.Place)
		a, b := startNode(t, 'a', t.TempDir(), place, 0), startNode(t, 'b', t.TempDir(), place, 0)
		b.lists()
		bells := ring.NewBells()
		bell := bells.New()
		b.Roster().Hang(bell)
		told := func(id string, gone bool) {
			t.Helper()
			since := b.Roster().Now()
			time.Sleep(2 * time.Second)
			changed, _, _ := b.Roster().Since(since)
			if len(changed) == 0 || changed[len(changed)-1].ID != id || changed[len(changed)-1].Gone != gone || len(bells.Take(nil)) == 0 {
				t.Fatalf("%d changes are told", len(changed))
			}
		}
		x := a.create().ID
		told(x, false)
		b.lists(x)
		if _, err := session.Ask(t.Context(), a.find(x), &session.Change{Title: new("a title")}); err != nil {
			t.Fatal(err)
		}
		told(x, false)
		if sum, err := b.all.Look(t.Context(), x); err != nil || sum.Title != "a title" {
			t.Error(sum.Title, err)
		}
		b.Roster().Unhang(bell)
		b.Roster().HangOn(x, bell) // who follows one session waits no longer
		time.Sleep(5 * time.Minute)
		bells.Take(nil)
		if _, err := session.Ask(t.Context(), a.find(x), &session.Change{Title: new("another title")}); err != nil {
			t.Fatal(err)
		}
		told(x, false)
		b.Roster().UnhangFrom(x, bell)
		b.Roster().Hang(bell)
		r := b.reader(x)
		if err := a.all.Delete(t.Context(), x); err != nil {
			t.Fatal(err)
		}
		told(x, true)
		b.lists()
		a.lists()
		if r.Ring.State() != ring.Retired {
			t.Error("who reads what is gone is not let go")
		}
		if _, err := b.all.Find(t.Context(), x); code(err) != protocol.CodeSessionNotFound {
			t.Error(err)
		}
		b.Roster().Unhang(bell)

		// one that is named is in the list at once
		w := a.create().ID
		for { // until Core has it
			if _, ok := a.record(w); ok {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		b.all.Refresh(t.Context(), []string{w, x, "no id"})
		if s := b.Roster().Find(w); s == nil || !s.Away {
			t.Error("a session that is named is not in the list")
		}
		if err := a.all.Delete(t.Context(), w); err != nil {
			t.Fatal(err)
		}
		settle()
		b.lists()

		// nobody looks: Core is asked twice a minute, and at once when somebody comes
		var asked atomic.Int64
		time.Sleep(3 * time.Minute)
		place.Disturb(func(op string) error {
			if op == "changes" {
				asked.Add(1)
			}
			return nil
		}, nil)
		y := a.create().ID
		time.Sleep(2 * time.Minute)
		if n := asked.Load(); n < 3*2 || n > 5*2 { // of both nodes
			t.Errorf("Core was asked %d times by two nodes in two minutes", n)
		}
		z := a.create().ID
		settle()
		b.lists(y, z)
		b.end()
		a.end()
	})
}

// TestDeletedHereStaysDeleted: a session that was deleted while Core was away does not come back as one of somebody else.
//
// Proves: I16.4/read-deleted
func TestDeletedHereStaysDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data, place := t.TempDir(), new(corememory.Place)
		a := startNode(t, 'a', data, place, 0)
		x := a.create().ID
		a.turn(x)
		settle()
		place.Leave()
		if err := a.all.Delete(t.Context(), x); err != nil {
			t.Fatal(err)
		}
		gone := func(n *node) {
			t.Helper()
			for range 20 {
				if ids, _ := n.ids(supervisor.Query{}); len(ids) > 0 {
					t.Fatalf("it is back: %v", ids)
				}
				if _, err := n.all.Find(t.Context(), x); code(err) != protocol.CodeSessionNotFound && code(err) != protocol.CodeUnavailable {
					t.Fatal(err)
				}
				time.Sleep(300 * time.Millisecond)
			}
			if _, err := n.all.Find(t.Context(), x); code(err) != protocol.CodeSessionNotFound {
				t.Fatal(err)
			}
		}
		gone(a)
		a.end()
		a = startNode(t, 'a', data, place, 0) // it knows by its file that the session is to go
		gone(a)
		place.Return()
		gone(a)
		if _, ok := a.record(x); ok {
			t.Error("Core has it still")
		}
		a.end()
	})
}

// TestFolderWithoutASession: what Core has of a session that this node's folder does not have any more can be read, and is told as such.
func TestFolderWithoutASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		data, place := t.TempDir(), new(corememory.Place)
		a := startNode(t, 'a', data, place, 0)
		x := a.create().ID
		a.turn(x)
		settle()
		want := a.file(x)
		a.end()
		if err := os.RemoveAll(filepath.Join(a.cfg.Data, "sessions", x)); err != nil {
			t.Fatal(err)
		}
		a = startNode(t, 'a', data, place, 0)
		a.lists(x)
		if got := a.text(x); len(got) < len(want) || got[:len(want)] != want {
			t.Error("it is not what it was")
		}
		var p *protocol.Problem
		if err := a.all.Delete(t.Context(), x); !errors.As(err, &p) || p.Code != protocol.CodeUnavailable || p.Hint == "Ask the node that has it." {
			t.Error(err)
		}
		a.end()
	})
}

// TestCoreIsAwayForReaders: what is known stays known, what is not is said not to be, and all goes on when Core is back.
//
// Proves: I16.4/read-away
func TestCoreIsAwayForReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		place := new(corememory.Place)
		place.Leave()
		a, b := startNode(t, 'a', t.TempDir(), place, 0), startNode(t, 'b', t.TempDir(), place, 0)
		x, own := a.create().ID, b.create().ID
		a.turn(x)
		settle()
		if ids, partial := b.ids(supervisor.Query{}); !slices.Equal(ids, []string{own}) || !partial {
			t.Errorf("the list has %v, partial: %t", ids, partial)
		}
		if _, err := b.all.Find(t.Context(), x); code(err) != protocol.CodeUnavailable {
			t.Error(err)
		}
		if _, err := b.all.Find(t.Context(), own); err != nil {
			t.Error(err)
		}
		place.Return()
		settle()
		b.lists(x, own)
		r := b.reader(x)
		place.FallSilent()
		a.turn(x)
		begun := time.Now()
		if ids, _ := b.ids(supervisor.Query{}); !slices.Equal(ids, []string{x, own}) || time.Since(begun) > time.Second {
			t.Errorf("the list has %v after %v", ids, time.Since(begun))
		}
		time.Sleep(time.Minute)
		if ids, partial := b.ids(supervisor.Query{}); !slices.Equal(ids, []string{x, own}) || !partial {
			t.Errorf("the list has %v, partial: %t", ids, partial)
		}
		if r.Ring.State() != ring.Open {
			t.Error("who follows was let go")
		}
		if h := b.all.Health().Core; h.Up || h.Err == nil {
			t.Errorf("Core is silent, and the node says %+v", h)
		}
		place.Return()
		time.Sleep(time.Minute)
		b.lists(x, own)
		if h := b.all.Health().Core; !h.Up {
			t.Errorf("Core answers, and the node says %+v", h)
		}
		if want := a.reader(x).Ring.Head(); r.Ring.Head() != want {
			t.Errorf("it goes on up to %d, want %d", r.Ring.Head(), want)
		}
		b.end()
		a.end()
	})
}

// TestMoreThanAListHas: of more sessions than the list takes, each can still be read, and the list says that it is partial.
func TestMoreThanAListHas(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		place := new(corememory.Place)
		a, b := startNode(t, 'a', t.TempDir(), place, 0), startNode(t, 'b', t.TempDir(), place, 2)
		var ids []string
		for range 4 {
			ids = append(ids, a.create().ID)
		}
		settle()
		if got, partial := b.ids(supervisor.Query{}); len(got) != 2 || !partial {
			t.Errorf("the list has %v, partial: %t", got, partial)
		}
		for _, id := range ids {
			if b.text(id) == "" {
				t.Error("it cannot be read")
			}
			if sum, err := b.all.Look(t.Context(), id); err != nil || sum.Node != a.Instance() {
				t.Error(sum, err)
			}
		}
		for _, id := range ids[:3] {
			if err := a.all.Delete(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(11 * time.Minute) // until the list is read as a whole
		b.ids(supervisor.Query{})
		time.Sleep(10 * time.Second)
		b.lists(ids[3])
		b.end()
		a.end()
	})
}

// beats has a node say that it lives.
func (n *node) beats() *placement.Placement {
	return placement.Begin(placement.Config{
		Connect: func(context.Context) (core.Core, error) { return n.place.Core(), nil },
		Life:    n.cfg.Outbox.Life, Told: func() core.Beat { return core.Beat{Build: "test"} }, Log: zap.NewNop(),
	})
}

// TestNodeFallsSilent: sessions of a node that is not heard of are told as unreachable, until it is back; one that never said that it lives is not missed.
//
// Proves: I16.6/silent
func TestNodeFallsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		place, dataA := new(corememory.Place), t.TempDir()
		a, b := startNode(t, 'a', dataA, place, 0), startNode(t, 'b', t.TempDir(), place, 0)
		c := startNode(t, 'c', t.TempDir(), place, 0) // of a build that does not beat
		x, y, z := a.create().ID, b.create().ID, c.create().ID
		a.turn(x)
		beatsA, beatsB := a.beats(), b.beats()
		unreachable := func(id string, want bool) {
			t.Helper()
			b.ids(supervisor.Query{})
			time.Sleep(10 * time.Second)
			sum, err := b.all.Look(t.Context(), id)
			if listed := b.Roster().Find(id); err != nil || sum.Unreachable != want || listed == nil || listed.Summary().Unreachable != want {
				t.Fatalf("unreachable: %t in its summary, %+v in the list, want %t, %v", sum.Unreachable, listed, want, err)
			}
		}
		states := func(want map[string]string) {
			t.Helper()
			list, err := elsewhere.NewCluster(b.all).Nodes(t.Context())
			got := map[string]string{}
			for _, n := range list {
				got[n.ID] = n.State
				if n.Here != (n.ID == b.Instance()) || n.Sessions != 1 || (n.Silent > 0) != (n.State == "silent") {
					t.Errorf("%+v", n)
				}
			}
			if err != nil || !maps.Equal(got, want) {
				t.Fatalf("the nodes are %v, %v; want %v", got, err, want)
			}
		}
		for _, id := range []string{x, y, z} {
			unreachable(id, false)
		}
		time.Sleep(time.Hour)
		unreachable(x, false)
		states(map[string]string{a.Instance(): "up", b.Instance(): "up", c.Instance(): "unknown"})

		beatsA.Close()
		a.end()
		unreachable(x, false)
		time.Sleep(placement.Lease)
		unreachable(x, true)
		unreachable(y, false)
		unreachable(z, false)
		states(map[string]string{a.Instance(): "silent", b.Instance(): "up", c.Instance(): "unknown"})
		if b.text(x) == "" {
			t.Error("its log cannot be read")
		}

		a = startNode(t, 'a', dataA, place, 0)
		beatsA = a.beats()
		unreachable(x, false)
		states(map[string]string{a.Instance(): "up", b.Instance(): "up", c.Instance(): "unknown"})

		place.Leave() // an outage of Core is no silence of a node
		time.Sleep(10 * time.Minute)
		place.Return()
		for range 60 {
			time.Sleep(time.Second)
			b.ids(supervisor.Query{})
			if sum, err := b.all.Look(t.Context(), x); err != nil || sum.Unreachable {
				t.Fatal("behind an outage of Core a node is missed that had no time to say that it lives")
			}
		}
		states(map[string]string{a.Instance(): "up", b.Instance(): "up", c.Instance(): "unknown"})
		beatsA.Close()
		beatsB.Close()
		c.end()
		b.end()
		a.end()
	})
}
