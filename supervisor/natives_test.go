package supervisor_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
)

// lines are the native lines of a session as the node gives them, with their numbers and events.
func (p *peer) lines(id string) (list []string) {
	p.t.Helper()
	r, err := p.all.Raw(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	last := r.First() - 1
	for l, err := range r.Lines() {
		if err != nil {
			p.t.Fatal(err)
		}
		if l.Number < last || l.Number == last && l.Dir != "note" && last >= r.First() {
			p.t.Errorf("behind line %d comes line %d", last, l.Number)
		}
		last = l.Number
		list = append(list, fmt.Sprintf("%d %d-%d %s", l.Number, l.From, l.To, l.Record))
	}
	return list
}

// archived are the segments that Core has of a session.
func (p *peer) archived(id string) []core.NativeSegment {
	p.t.Helper()
	c := p.place.Core()
	defer c.Close()
	list, err := c.Archived(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	return list
}

// goOn has a session do a turn at a node, which may have to take it first.
func (p *peer) goOn(id, text string) {
	p.t.Helper()
	ref, err := p.all.Find(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := session.Ask(p.t.Context(), ref, &session.SendPrompt{Prompt: session.NewPrompt{Text: text}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
}

func (p *peer) drained() {
	p.t.Helper()
	p.moves.Drain(time.Second)
	p.awaits("given away", 2*time.Minute, func() bool { left, is := p.moves.Draining(); return is && left == 0 })
}

func hasNote(lines []string, event string) bool {
	return slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, `"dir":"note"`) && strings.Contains(l, event) })
}

// TestNativeLinesMove: the native lines of a session that moves by a drain are given at the next node, and at one that only reads, as the first one gave them, with
// those of the next behind them; at the node where it comes back to, too. A whole text is made of lines of another node.
//
// Proves: I16.5/raw
func TestNativeLinesMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, false), startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		a.turn(x)
		a.goOn(x, "long\n```script\n"+`[{"tool":{"name":"bash","args":{},"output":{"repeat":{"text":"much ","times":60000}}}}]`+"\n```")
		settle()
		had := a.lines(x)
		if len(had) < 5 || hasNote(had, "missing") {
			t.Fatalf("%d lines", len(had))
		}
		a.drained()
		settle()
		all := a.lines(x) // with the end of the connection, which the drain has ended
		if len(all) <= len(had) || !slices.Equal(all[:len(had)], had) || !strings.Contains(all[len(all)-1], `"event":"exit"`) {
			t.Errorf("behind the drain there are %d lines, %d before; the last is %s", len(all), len(had), all[len(all)-1])
		}
		if got := b.lines(x); !slices.Equal(got, all) {
			t.Errorf("who only reads gets %d lines, and the node that had them %d", len(got), len(all))
		}
		b.goOn(x, "go on")
		settle()
		two := b.lines(x)
		if len(two) <= len(all) || !slices.Equal(two[:len(all)], all) || hasNote(two, "missing") {
			t.Errorf("at the next node there are %d lines, and the first %d are not those of the first one", len(two), len(all))
		}
		if next := two[len(all)]; !strings.Contains(next, `"event":"spawn"`) || strings.HasPrefix(next, "1 ") {
			t.Errorf("its own begin with %s", next)
		}
		a.end()
		a = startPeer(t, 'a', base, place, false)
		time.Sleep(2 * placement.Lease)
		b.drained()
		a.goOn(x, "and back")
		settle()
		if three := a.lines(x); len(three) <= len(two) || !slices.Equal(three[:len(two)], two) || hasNote(three, "missing") {
			t.Errorf("where it has come back to there are %d lines, and the first %d are not those of before", len(three), len(two))
		}
		for _, g := range a.archived(x) {
			if g.Epoch != 1 || g.Node != a.Instance() && g.Node != b.Instance() {
				t.Errorf("%+v", g)
			}
		}
		b.end()
		a.end()
	})
}

// TestNativeLinesOfALostNode: of a node that is lost the next one gives what was put, and a note that names the events whose lines are missing; when the first comes
// back, it puts what it still has, and the hole is closed.
//
// Proves: I16.5/raw-lost
func TestNativeLinesOfALostNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, true), startPeer(t, 'b', base, place, true)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		a.turn(x)
		time.Sleep(30 * time.Minute) // its agent is let go, and what was said is put
		settle()
		put := a.lines(x)
		if list := a.archived(x); len(list) != 1 || int(list[0].Object.Last) != len(put) {
			t.Fatalf("of %d lines there are %+v", len(put), list)
		}
		a.goOn(x, "what is lost")
		settle()
		seq := a.prompt(x, lasting).Cursor.Seq
		a.until(x, seq, protocol.TypeTurnStart)
		settle()
		before := a.lines(x)
		a.link.Leave()
		b.awaits("taken over", 5*time.Minute, func() bool { return b.has(x) })
		settle()
		b.goOn(x, "at the other node")
		settle()
		got := b.lines(x)
		if len(got) <= len(put) || !slices.Equal(got[:len(put)], put) {
			t.Fatalf("what was put is not there: %d lines", len(got))
		}
		hole := got[len(put)]
		var number, from, to uint64
		if _, err := fmt.Sscanf(hole, "%d %d-%d", &number, &from, &to); err != nil || !strings.Contains(hole, `"data":{"event":"missing"}`) ||
			number != uint64(len(put))+1 || from == 0 || to < from || hasNote(got[len(put)+1:], "missing") {
			t.Errorf("the hole is told as %s", hole)
		}
		own := got[len(put)+1:]

		a.link.Return()
		a.awaits("let go", 2*time.Minute, func() bool { return !a.has(x) })
		settle()
		time.Sleep(time.Minute)
		settle()
		whole := b.lines(x)
		if n := len(before); len(whole) < n+len(own) || !slices.Equal(bare(whole[:n]), bare(before)) || !slices.Equal(whole[len(whole)-len(own):], own) || hasNote(whole, "missing") {
			t.Errorf("when the first node is back there are %d lines; it had %d, the other has %d:\n%s", len(whole), n, len(own), strings.Join(whole, "\n"))
		}
		if now := a.lines(x); len(now) > len(whole) || !slices.Equal(now[:len(now)-1], whole[:len(now)-1]) || !hasNote(now, "missing") {
			t.Errorf("the first node gives %d lines, and the other %d", len(now), len(whole))
		}
		time.Sleep(30 * time.Minute) // the agent is let go
		settle()
		if now, all := a.lines(x), b.lines(x); !slices.Equal(now, all) || len(all) <= len(whole) {
			t.Errorf("the first node gives %d lines, and the other %d", len(now), len(all))
		}
		b.end()
		a.end()
	})
}

// bare are lines without their numbers and events: what a lost end of a log has made of them does not count any more.
func bare(lines []string) (list []string) {
	for _, l := range lines {
		list = append(list, l[strings.IndexByte(l, '{'):])
	}
	return list
}

// TestNativeLinesWithoutStore: a store that is away holds up no drain; the lines are put when it is back. Until then readers are told what they do not get.
//
// Proves: I16.5/raw-away
func TestNativeLinesWithoutStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, false), startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		a.turn(x)
		settle()
		pictured.Leave()
		begun := time.Now()
		a.drained()
		if took := time.Since(begun); took > 30*time.Second {
			t.Errorf("the drain took %v", took)
		}
		settle()
		b.goOn(x, "go on")
		settle()
		got := b.lines(x)
		if !strings.Contains(got[0], `"event":"missing"`) {
			t.Errorf("it begins with %s", got[0])
		}
		own := got[1:]
		pictured.Return()
		time.Sleep(30 * time.Minute)
		settle()
		all := b.lines(x)
		if hasNote(all, "missing") || len(all) <= len(got) || !slices.Equal(all[len(all)-len(b.own(x)):], b.own(x)) {
			t.Errorf("there are %d lines, %d of them its own", len(all), len(own))
		}
		pictured.Leave()
		if away := b.lines(x); !hasNote(away, "unreachable") || !slices.Equal(away[len(away)-len(b.own(x)):], b.own(x)) {
			t.Errorf("without the store there are\n%s", strings.Join(away, "\n"))
		}
		if away := a.lines(x); !hasNote(away, "unreachable") {
			t.Errorf("without the store who only reads gets\n%s", strings.Join(away, "\n"))
		}
		pictured.Return()

		// an object that is damaged, and one that is gone
		list := a.archived(x)
		store := pictured.Store()
		defer store.Close()
		if err := store.Delete(t.Context(), list[0].Object.Key); err != nil {
			t.Fatal(err)
		}
		if got := b.lines(x); !hasNote(got, "damaged") || !slices.Equal(got[len(got)-len(b.own(x)):], b.own(x)) {
			t.Errorf("without an object there are\n%s", strings.Join(got, "\n"))
		}

		// what a session has had goes with it
		if err := b.all.Delete(t.Context(), x); err != nil {
			t.Fatal(err)
		}
		settle()
		if list := a.archived(x); len(list) > 0 {
			t.Errorf("a session that was deleted has %d segments", len(list))
		}
		b.end()
		a.end()
	})
}

// drop removes the native lines of a session that are on the disk.
func (p *peer) drop(id string) {
	p.t.Helper()
	archive := raw.New(filepath.Join(p.folder(id), "raw"), raw.Options{})
	if err := archive.Drop(); err != nil {
		p.t.Fatal(err)
	}
	archive.Close()
}

// own are the lines in the session's folder.
func (p *peer) own(id string) (list []string) {
	p.t.Helper()
	r, err := p.Supervisor.Raw(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	for l, err := range r.Lines() {
		if err != nil {
			p.t.Fatal(err)
		}
		if l.Dir != "note" {
			list = append(list, fmt.Sprintf("%d %d-%d %s", l.Number, l.From, l.To, l.Record))
		}
	}
	return list
}

// TestDroppedNativeLinesAreGiven: what a node has dropped to have room, and put before, is given out of the store; what was not put is named.
//
// Proves: I16.5/raw-dropped
func TestDroppedNativeLinesAreGiven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a := startPeer(t, 'a', base, place, false)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		a.turn(x)
		time.Sleep(30 * time.Minute)
		settle()
		put := a.lines(x)
		a.drop(x)
		if own := a.own(x); len(own) != 0 {
			t.Fatalf("%d lines are left", len(own))
		}
		if got := a.lines(x); !slices.Equal(got, put) {
			t.Errorf("there are %d lines, want %d", len(got), len(put))
		}
		a.turn(x)
		settle()
		if got := a.lines(x); len(got) <= len(put) || !slices.Equal(got[:len(put)], put) || hasNote(got, "missing") {
			t.Errorf("there are %d lines", len(got))
		}
		a.end()
	})
}

// TestNoSecretLeaves: what is masked in the archive is masked in the store.
//
// Proves: I16.5/raw-masked
func TestNoSecretLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a := startPeer(t, 'a', base, place, false)
		time.Sleep(2 * placement.Lease)
		const bits = "Zx-9_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789-_"
		const token = "ringmaster_abcdefghij27_" + bits
		x := a.create().ID
		a.goOn(x, "say\n```script\n"+`[{"say":{"text":"the token is `+token+`"}}]`+"\n```")
		time.Sleep(30 * time.Minute)
		settle()
		a.drop(x)
		list := a.lines(x)
		if len(list) < 5 || hasNote(list, "missing") {
			t.Fatalf("%d lines were put", len(list))
		}
		for _, l := range list {
			if strings.Contains(l, bits) {
				t.Errorf("a line is %s", l)
			}
		}
		a.end()
	})
}
