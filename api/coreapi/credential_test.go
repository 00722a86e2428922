package coreapi_test

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/core/remote"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	objectsmemory "github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/coreapi"
)

// estate is a Core with a server in front of it, to which nodes come with credentials.
type estate struct {
	testing.TB
	place   memory.Place
	bucket  objectsmemory.Place
	doors   core.Doors
	address string
}

func newEstate(t testing.TB) *estate {
	t.Helper()
	e := &estate{TB: t}
	e.doors = e.place.Doors()
	d, shut := coreapi.Through(func(context.Context) (core.Doors, error) { return e.place.Doors(), nil })
	t.Cleanup(shut)
	e.address = served(t, coreapi.Config{
		Connect: func(context.Context) (core.Core, error) { return e.place.Core(), nil },
		Objects: func() (objects.Store, error) { return e.bucket.Store(), nil }, Doors: d,
	})
	return e
}

// admit makes a credential.
func (e *estate) admit(node string) (id string, token func() (string, error)) {
	e.Helper()
	c, text := core.NewCredential("", node)
	if err := e.doors.Admit(e.Context(), c); err != nil {
		e.Fatal(err)
	}
	return c.ID, func() (string, error) { return text, nil }
}

func (e *estate) open(token func() (string, error)) core.Core {
	e.Helper()
	c, err := remote.Open(e.Context(), e.address, remote.Options{Token: token})
	if err != nil {
		e.Fatal(err)
	}
	e.Cleanup(c.Close)
	return c
}

// node is one with a credential, that has a session with one event.
func (e *estate) node(name, session string) (c core.Core, as core.Owner, at core.Position) {
	e.Helper()
	_, token := e.admit("")
	c = e.open(token)
	as, err := c.Join(e.Context(), name)
	if err != nil {
		e.Fatal(err)
	}
	got, err := c.Take(e.Context(), as, []core.Record{{Session: session}})
	if err != nil || got[0].Lease == "" {
		e.Fatal(got, err)
	}
	a, err := c.Append(e.Context(), []core.Batch{{Session: session, Lease: got[0].Lease, Stretch: event(1)}})
	if err != nil || !a[0].Taken {
		e.Fatal(a, err)
	}
	return c, as, a[0].At
}

func event(n uint64) store.Stretch {
	return store.Stretch{First: n, Epoch: 1, Sources: []store.Made{{Count: 1}}, Lines: []byte("{}\n")}
}

func session(n int) string { return "0199a7a0-0000-7000-8000-00000000000" + string(rune('0'+n)) }

// refusedTo expects that a call was refused to a node, with what it can do.
func (e *estate) refusedTo(what string, err error) {
	e.Helper()
	if access := new(core.AccessError); !errors.As(err, &access) {
		e.Errorf("%s: %v", what, err)
	}
}

// TestNodeSpeaksForItself: whoever has one node's credential does nothing in the name of another, learns no lease of another's session, and takes care of
// nothing that is everybody's.
//
// Proves: I16.3/credentials
func TestNodeSpeaksForItself(t *testing.T) {
	e := newEstate(t)
	ctx := t.Context()
	a, as, at := e.node("a", session(1))
	b, other, theirs := e.node("b", session(2))
	if _, err := a.Beat(ctx, as, core.Beat{Lease: time.Minute}); err != nil {
		t.Fatal(err)
	}
	for what, call := range map[string]func(as core.Owner) error{
		"join":    func(as core.Owner) error { _, err := a.Join(ctx, as.Node); return err },
		"take":    func(as core.Owner) error { _, err := a.Take(ctx, as, []core.Record{{Session: session(2)}}); return err },
		"beat":    func(as core.Owner) error { _, err := a.Beat(ctx, as, core.Beat{Lease: time.Minute}); return err },
		"declare": func(as core.Owner) error { _, err := a.Declare(ctx, as); return err },
		"drain":   func(as core.Owner) error { _, err := a.Drain(ctx, as); return err },
		"leave":   func(as core.Owner) error { _, err := a.Leave(ctx, as); return err },
		"claim":   func(as core.Owner) error { _, err := a.Claim(ctx, as, core.Want{}); return err },
		"release": func(as core.Owner) error {
			_, err := a.Release(ctx, as, []core.Handed{{Session: session(2), Lease: theirs.Lease, Head: 1}})
			return err
		},
		"held": func(as core.Owner) (err error) {
			for _, err = range a.Held(ctx, as.Node) {
			}
			return err
		},
	} {
		e.refusedTo(what, call(other))
		e.refusedTo(what+" as a new one", call(core.Owner{Node: "c", Incarnation: 1}))
	}
	if nodes, err := e.place.Core().Nodes(ctx, true); err != nil || len(nodes) != 2 || nodes[1].State != core.StateUp || nodes[1].Has != 1 || nodes[1].Incarnation != other.Incarnation {
		t.Errorf("the nodes are %+v, %v", nodes, err)
	}

	seen := map[string]core.Lease{}
	note := func(what string, p core.Position) {
		if p.Session == session(2) && p.Lease != "" || p.Session == session(1) && p.Lease != at.Lease {
			seen[what] = p.Lease
		}
	}
	list, err := a.Positions(ctx, []string{session(1), session(2)})
	must(t, err)
	note("positions", list[0])
	note("positions", list[1])
	p, _, ok, err := a.Session(ctx, session(2))
	if must(t, err); !ok {
		t.Error("a node does not read of another's session")
	}
	note("session", p)
	for c, err := range a.Changes(ctx, time.Time{}) {
		must(t, err)
		note("changes", c.Position)
	}
	taken, err := a.Take(ctx, as, []core.Record{{Session: session(2)}})
	must(t, err)
	note("take", taken[0])
	for _, claimed := range []uint64{1, 1 << 50} { // as if Core had told it so, and had forgotten
		taken, err = a.Take(ctx, as, []core.Record{{Session: session(2), Claimed: claimed}})
		if must(t, err); taken[0].Owner != other {
			t.Errorf("a session of a node that is there is taken: %+v", taken)
		}
		note("take of what was claimed", taken[0])
	}
	answers, err := a.Append(ctx, []core.Batch{{Session: session(2), Lease: at.Lease, Stretch: event(2)}})
	if must(t, err); answers[0].Taken {
		t.Error("a batch of another's session is taken")
	}
	note("append", answers[0].At)
	cut, err := a.Rewind(ctx, core.Cut{Session: session(2), Lease: at.Lease, Epoch: 2, First: 1})
	if must(t, err); cut.Taken {
		t.Error("a cut of another's session is taken")
	}
	note("rewind", cut.At)
	claims, err := a.Claim(ctx, as, core.Want{Sessions: []string{session(2)}})
	must(t, err)
	note("claim", claims.Others[0].At)
	for piece, err := range a.Pieces(ctx, session(2), 0, 1) {
		if must(t, err); piece.Lease != "" {
			seen["pieces"] = piece.Lease
		}
	}
	if len(seen) > 0 {
		t.Errorf("leases of another node's session are told by %v", seen)
	}
	for _, err := range a.Stretches(ctx, session(2), 0, 1) {
		must(t, err)
	}

	free, err := b.Release(ctx, other, []core.Handed{{Session: session(2), Lease: theirs.Lease, Head: 1}})
	if must(t, err); !free[0].Taken || free[0].At.Lease != "" {
		t.Errorf("what was released is told as %+v", free)
	}
	list, err = a.Positions(ctx, []string{session(2)})
	if must(t, err); list[0].Lease != "" {
		t.Error("the lease of nobody's session is told")
	}

	_, err = a.Due(ctx, core.Due{})
	e.refusedTo("due", err)
	_, err = a.Garbage(ctx, 1)
	e.refusedTo("garbage", err)
	_, err = a.Strays(ctx, nil)
	e.refusedTo("strays", err)
	_, err = a.Compact(ctx, &core.Segment{
		Session: session(1), First: 1, Last: 1, Rows: []core.Row{{Stretch: store.Stretch{First: 1, Epoch: 1, Sources: []store.Made{{Count: 1}}}, Bytes: 3, Lease: at.Lease}},
		Object: core.Object{Key: "k", First: 1, Last: 1, Size: 1, Frames: []core.Frame{{First: 1}}}, Line: []byte("{}\n"),
	})
	e.refusedTo("compact", err)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestNodePutsItsOwnObjects: pictures of the sessions that a node has, and nothing else, go through Core into the object store.
//
// Proves: I16.5/through-core
func TestNodePutsItsOwnObjects(t *testing.T) {
	e := newEstate(t)
	_, token := e.admit("")
	c := e.open(token)
	as, err := c.Join(t.Context(), "a")
	must(t, err)
	_, err = c.Take(t.Context(), as, []core.Record{{Session: session(1)}})
	must(t, err)
	_, _, _ = e.node("b", session(2))
	s := remote.Objects(e.address, remote.Options{Token: token})
	t.Cleanup(s.Close)
	picture := make([]byte, 1<<20)
	_, _ = rand.Read(picture)
	if put, err := cold.PutPicture(t.Context(), c, s, session(1), picture); err != nil || !put {
		t.Fatal(put, err)
	}
	_, err = cold.PutPicture(t.Context(), c, s, session(2), picture)
	e.refusedTo("a picture of another's session", err)
	body := objects.Bytes(picture)
	for what, key := range map[string]string{
		"a segment":                   objects.LogKey(session(1), 1, 1, body.SHA256),
		"native lines of another":     objects.RawKey(session(1), "b", 1, 1, body.SHA256),
		"a picture of another's":      objects.ImageKey(session(2), body.SHA256),
		"what is nobody's":            objects.ProbeKey("x"),
		"a picture of no session yet": objects.ImageKey(session(3), body.SHA256),
	} {
		_, err := s.Put(t.Context(), key, body)
		if access := new(objects.AccessError); !errors.As(err, &access) {
			t.Errorf("%s is put: %v", what, err)
		}
		if err := s.Delete(t.Context(), key); !errors.As(err, new(*objects.AccessError)) {
			t.Errorf("%s is deleted: %v", what, err)
		}
	}
	if _, err := s.Put(t.Context(), objects.RawKey(session(1), "a", 1, 1, body.SHA256), body); err != nil {
		t.Errorf("native lines of its own: %v", err)
	}
}

// lines is a segment of native lines of a session as a node has heard them, with its object.
func lines(session, node string, first uint64) (*core.NativeSegment, []byte) {
	body := []byte("an object")
	digest := objects.Bytes(body).SHA256
	return &core.NativeSegment{Session: session, Node: node, Epoch: 1, Lines: 3, Longest: 3, Object: core.Object{
		Key: objects.Attempt(objects.RawKey(session, node, first, first, digest)), First: first, Last: first, Size: int64(len(body)), SHA256: digest,
		Frames: []core.Frame{{First: first}},
	}}, body
}

// TestNodePutsLinesOfWhatItGave: native lines are of the node that has heard them: it puts them also where another node has the session by now, or nobody. So
// it gets at nothing that another node has put, and at no picture of the session.
//
// Proves: I16.5/through-core
func TestNodePutsLinesOfWhatItGave(t *testing.T) {
	e := newEstate(t)
	ctx := t.Context()
	_, token := e.admit("")
	c := e.open(token)
	as, err := c.Join(ctx, "a")
	must(t, err)
	at, err := c.Take(ctx, as, []core.Record{{Session: session(1)}})
	must(t, err)
	b, other, _ := e.node("b", session(2))
	s := remote.Objects(e.address, remote.Options{Token: token})
	t.Cleanup(s.Close)
	puts := func(when string, first uint64) *core.NativeSegment {
		t.Helper()
		g, body := lines(session(1), "a", first)
		if put, err := cold.PutNative(ctx, c, s, g, body); err != nil || !put {
			t.Fatalf("%s: %v, %v", when, put, err)
		}
		return g
	}
	puts("while it has the session", 1)
	free, err := c.Release(ctx, as, []core.Handed{{Session: session(1), Lease: at[0].Lease}})
	if must(t, err); !free[0].Taken {
		t.Fatalf("it is not given back: %+v", free)
	}
	puts("when nobody has it", 2)
	_, err = b.Beat(ctx, other, core.Beat{Lease: time.Minute})
	must(t, err)
	claims, err := b.Claim(ctx, other, core.Want{Sessions: []string{session(1)}})
	if must(t, err); len(claims.Taken) != 1 {
		t.Fatalf("the other node does not get it: %+v", claims)
	}
	mine := puts("when another node has it", 3)
	again, body := lines(session(1), "a", 1) // not behind those that are there
	if put, err := cold.PutNative(ctx, c, s, again, body); err != nil || put {
		t.Errorf("lines that are there already: %v, %v", put, err)
	}

	theirs, _ := lines(session(1), "b", 1)
	_, err = c.Intend(ctx, session(1), theirs.Object.Key)
	e.refusedTo("another node's lines are intended", err)
	_, err = c.Archive(ctx, theirs)
	e.refusedTo("another node's lines are named", err)
	under, _ := lines(session(1), "a", 4)
	under.Object.Key = theirs.Object.Key
	_, err = c.Archive(ctx, under)
	e.refusedTo("another node's object is named", err)
	e.refusedTo("another node's object is forgotten", c.Deleted(ctx, []string{mine.Object.Key, theirs.Object.Key}))
	elsewhere, _ := lines(session(2), "a", 1)
	_, err = c.Intend(ctx, session(1), elsewhere.Object.Key)
	e.refusedTo("an object of another session is intended", err)
	elsewhere.Session = session(1)
	_, err = c.Archive(ctx, elsewhere)
	e.refusedTo("an object of another session is named", err)
	own, _ := lines(session(1), "a", 5)
	if ok, err := c.Intend(ctx, session(1), own.Object.Key); err != nil || !ok {
		t.Fatal(ok, err)
	}
	_, err = c.Depict(ctx, core.Picture{Session: session(1), Key: own.Object.Key, Size: 1})
	e.refusedTo("native lines as a picture of another's session", err)
	_, err = c.Intend(ctx, session(1), objects.ImageKey(session(1), mine.Object.SHA256))
	e.refusedTo("a picture of another's session", err)
	_, err = c.Number(ctx, session(1), 1)
	e.refusedTo("a number of another's session", err)
	if list, err := c.Archived(ctx, session(1)); err != nil || len(list) != 3 {
		t.Errorf("Core has %+v, %v", list, err)
	}
}

// TestCredentialIsBound: the first new node that uses a credential has it, one that was there before does not, and what was expelled is void.
//
// Proves: I16.3/credentials
func TestCredentialIsBound(t *testing.T) {
	e := newEstate(t)
	_, as, _ := e.node("a", session(1))
	_, token := e.admit("")
	c := e.open(token)
	_, err := c.Join(t.Context(), as.Node)
	e.refusedTo("the name of a node that is there", err)
	if !strings.Contains(err.Error(), "core admit --node") {
		t.Errorf("it does not say what to do: %v", err)
	}
	_, err = c.Beat(t.Context(), as, core.Beat{Lease: time.Minute})
	e.refusedTo("a beat of a node that is there", err)
	_, err = c.Join(t.Context(), "b")
	must(t, err)
	id, named := e.admit("a")
	again := e.open(named)
	next, err := again.Join(t.Context(), "a")
	if must(t, err); next.Incarnation <= as.Incarnation {
		t.Errorf("the next life of %+v is %+v", as, next)
	}
	if gone, err := e.doors.Expel(t.Context(), id); err != nil || !gone {
		t.Fatal(gone, err)
	}
	for err == nil { // it may be taken for a moment more
		_, err = again.Beat(t.Context(), next, core.Beat{Lease: time.Minute})
	}
	e.refusedTo("who was expelled", err)
	for what, token := range map[string]func() (string, error){
		"no token": nil, "another": func() (string, error) { return "ringmaster_k3v7q2m4x6za_x", nil },
	} {
		_, err := remote.Open(t.Context(), e.address, remote.Options{Token: token})
		e.refusedTo(what, err)
	}
}

// TestFreshToken: a token that was changed in its file is taken without another start.
func TestFreshToken(t *testing.T) {
	e := newEstate(t)
	_, one := e.admit("a")
	id, two := e.admit("a")
	now := two
	c := e.open(func() (string, error) { return now() })
	_, err := c.Join(t.Context(), "a")
	must(t, err)
	_, err = e.doors.Expel(t.Context(), id)
	must(t, err)
	for now = one; ; { // until the server knows
		if _, err := c.Join(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		other, err := remote.Open(t.Context(), e.address, remote.Options{Token: two})
		if err != nil {
			break
		}
		other.Close()
	}
	_, err = c.Join(t.Context(), "a")
	must(t, err)
}
