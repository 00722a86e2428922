package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// statePage is the answer to a client that wants a page of a state.
type statePage struct {
	protocol.SessionState
	part protocol.StatePart
}

func (h *harness) statePage(id, query string) *statePage {
	h.t.Helper()
	r := h.want(http.StatusOK, "GET", "/sessions/"+id+"/state"+query, "")
	p := &statePage{}
	var more struct{ Part *protocol.StatePart }
	if err := p.UnmarshalJSON(r.body); err != nil {
		h.t.Fatal(err)
	}
	if err := json.Unmarshal(r.body, &more); err != nil || more.Part == nil {
		h.t.Fatalf("%v: %s", err, r.body)
	}
	p.part = *more.Part
	return p
}

// TestStateByPage reads a session's state by page, from the newest on: its pages have each entry once, and what a page says of the session is what the whole says.
func TestStateByPage(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	const turns = 9
	for i := range turns {
		h.turn(id, fmt.Sprint("turn ", i))
	}
	path := "/sessions/" + id + "/state"
	var whole protocol.SessionState
	h.want(http.StatusOK, "GET", path, "").into(t, &whole)
	var entries []string
	query := "?entries=4"
	for pages := 0; ; pages++ {
		p := h.statePage(id, query)
		if want := (protocol.Told{Turns: turns, Entries: len(whole.Entries)}); p.part.Told != want || p.Seq != whole.Seq || p.Status.State != protocol.StateIdle || p.Usage.Sum.TotalTokens != whole.Usage.Sum.TotalTokens {
			t.Fatalf("%s: %+v", query, p)
		}
		var ids []string
		for _, e := range p.Entries {
			ids = append(ids, e.EntryID)
		}
		entries = append(ids, entries...)
		if p.part.From == p.part.Oldest {
			break
		}
		if len(ids) != 4 || pages > turns*4 {
			t.Fatalf("%s: %q", query, ids)
		}
		query = fmt.Sprint("?entries=4&before=", p.part.From)
	}
	for i, e := range whole.Entries {
		if len(entries) != len(whole.Entries) || entries[i] != e.EntryID {
			t.Fatalf("%q", entries)
		}
	}
	// Pages have names of their own, and an earlier event has pages, too.
	tag := h.want(http.StatusOK, "GET", path+"?entries=4", "").Header.Get("ETag")
	h.want(http.StatusNotModified, "GET", path+"?entries=4", "", "If-None-Match", tag)
	for _, other := range []string{"", "?entries=5", "?entries=4&before=9", fmt.Sprint("?entries=4&at=", whole.Seq-1)} {
		if got := h.want(http.StatusOK, "GET", path+other, "", "If-None-Match", tag).Header.Get("ETag"); got == tag {
			t.Errorf("%s has the name %s", other, got)
		}
	}
	if p := h.statePage(id, "?entries=2&at=9"); p.Seq != 9 || p.part.Told.Turns != 1 {
		t.Errorf("at 9: %+v", p)
	}
	h.refused(http.StatusGone, protocol.CodeCursorReset, "GET", path+"?entries=2&at=9999", "")
	h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "GET", path+"?before=4", "")
	for _, bad := range []string{"?entries=0", "?entries=-1", "?entries=1001", "?entries=x", "?entries=1&before=0", "?entries=1&before=-1"} {
		h.refused(http.StatusUnprocessableEntity, protocol.CodeInvalidRequest, "GET", path+bad, "")
	}
}

// TestStateByPageWhileAtWork reads pages of a session that is at work, whose events are shown once they are on the disk: each is of an event that its readers have.
func TestStateByPageWhileAtWork(t *testing.T) {
	for _, first := range []bool{false, true} {
		h := newHarness(t)
		h.tree.syncFirst = first
		id := h.create("echo")
		over := make(chan struct{})
		go func() { // ends with its turns
			defer close(over)
			for range 20 {
				h.turn(id, strings.Repeat("some words ", 40))
			}
		}()
		var pages []*statePage
		for busy := true; busy; {
			select {
			case <-over:
				busy = false
			default:
			}
			pages = append(pages, h.statePage(id, "?entries=3"))
		}
		log := h.log(id, "")
		at := 0
		var folded protocol.SessionState
		for e, err := range protocol.Events(bytes.NewReader(log)) {
			if err != nil {
				t.Fatal(err)
			}
			folded.Apply(&e)
			for ; at < len(pages) && pages[at].Seq == e.Seq; at++ {
				var want protocol.SessionState
				if err := want.UnmarshalJSON(folded.AppendJSON(nil)); err != nil {
					t.Fatal(err)
				}
				p := pages[at]
				for _, x := range p.Entries {
					got, err := json.Marshal(x.Data)
					is, err2 := json.Marshal(want.Entry(x.EntryID).Data)
					if err != nil || err2 != nil || !bytes.Equal(got, is) || x.Open != want.Entry(x.EntryID).Open {
						t.Fatalf("at %d: %s, want %s", e.Seq, got, is)
					}
				}
				for _, s := range []*protocol.SessionState{&want, &p.SessionState} {
					s.Turns, s.Entries, s.Requests = nil, nil, nil
				}
				if a, b := want.AppendJSON(nil), p.AppendJSON(nil); !bytes.Equal(a, b) {
					t.Fatalf("at %d\n%s\nwant\n%s", e.Seq, b, a)
				}
			}
		}
		if at != len(pages) || at < 3 {
			t.Errorf("%d of %d pages are of the log", at, len(pages))
		}
	}
}
