package supervisor_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
)

// shows sends a prompt with the picture, as a client does.
func (p *peer) shows(id, text string) session.Receipt {
	p.t.Helper()
	ref, _, err := p.all.Images(id).Put("image/png", picture)
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := session.Ask(p.t.Context(), p.find(id), &session.SendPrompt{Prompt: session.NewPrompt{Text: text, Images: []string{ref}}})
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// hasPicture says that Core has the picture of a session.
func (p *peer) hasPicture(id string) bool {
	p.t.Helper()
	c := p.place.Core()
	defer c.Close()
	list, err := c.Pictures(p.t.Context(), id)
	if err != nil {
		p.t.Fatal(err)
	}
	return len(list) == 1 && objects.Digest(list[0].Digest).String() == hash(picture)
}

// TestPicturesOfAQueueMove: a session that is given away while a prompt with a picture waits goes on with it at the next node, also where the picture could not
// be put until then, and was to be tried again only later.
//
// Proves: I16.5/pictures
func TestPicturesOfAQueueMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, false), startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		seq := a.prompt(x, lasting).Cursor.Seq
		a.until(x, seq, protocol.TypeTurnStart)
		place.Disturb(func(op string) error {
			if op == "intend" {
				return errors.New("the disk of the database is full")
			}
			return nil
		}, nil)
		a.shows(x, "look at this")
		time.Sleep(40 * time.Second)
		settle()
		place.Disturb(nil, nil)
		if a.hasPicture(x) {
			t.Fatal("the picture is there already: this proves nothing")
		}
		a.moves.Drain(0)
		b.awaits("taken up", time.Minute, func() bool { return b.has(x) })
		b.awaits("at rest", time.Minute, func() bool { return strings.Contains(b.file(x), `"turnId":"t2","status":"`) })
		if log := b.file(x); !strings.Contains(log, `"turnId":"t2","status":"completed"`) || strings.Contains(log, "an image of the prompt is gone") {
			t.Errorf("the next node has\n%s", log)
		}
		b.end()
		a.end()
	})
}

// TestPicturesThatStayBehind: a store that takes nothing holds up no drain; what was not put then is put when the store is back, of what was set aside.
//
// Proves: I16.5/pictures
func TestPicturesThatStayBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, place := t.TempDir(), new(corememory.Place)
		a, b := startPeer(t, 'a', base, place, false), startPeer(t, 'b', base, place, false)
		time.Sleep(2 * placement.Lease)
		x := a.create().ID
		pictured.Disturb(func(op string) error {
			if op == "put" {
				return &objects.AwayError{Op: op, Err: errors.New("away")}
			}
			return nil
		}, nil)
		a.until(x, a.shows(x, "look at this").Cursor.Seq, protocol.TypeTurnEnd)
		settle()
		begun := time.Now()
		a.drained()
		if took := time.Since(begun); took > 15*time.Second {
			t.Errorf("the drain took %v", took)
		}
		b.goOn(x, "go on")
		time.Sleep(time.Hour)
		settle()
		if b.hasPicture(x) {
			t.Fatal("the picture is there already: this proves nothing")
		}
		pictured.Disturb(nil, nil)
		time.Sleep(time.Hour)
		settle()
		if !b.hasPicture(x) {
			t.Error("the picture stays behind")
		}
		if f, err := a.all.Images(x).Open(hash(picture)); err != nil {
			t.Error(err)
		} else {
			f.Close()
		}
		b.end()
		a.end()
	})
}
