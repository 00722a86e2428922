package api

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// lostTree has one session by a mirror: another node has it, and Core its log, which loses its end.
type lostTree struct {
	*tree
	id     string
	core   core.Core
	at     core.Position
	lines  [][]byte // of the log
	title  string   // the newest that is left
	said   string   // the newest text that is left
	mirror *mirror.Mirror
}

func (tr *lostTree) Find(context.Context, string) (session.Ref, error) { return tr.mirror.Ref, nil }

// newLostTree puts a log into Core.
func newLostTree(t *testing.T, of *tree, id string, log []byte) *lostTree {
	t.Helper()
	tr := &lostTree{tree: of, id: id, core: new(memory.Place).Core(), said: "first"}
	me, err := tr.core.Join(t.Context(), "other")
	if err != nil {
		t.Fatal(err)
	}
	at, err := tr.core.Take(t.Context(), me, []core.Record{{Session: id}})
	if err != nil {
		t.Fatal(err)
	}
	tr.at = at[0]
	tr.append(t, 1, log)
	sum, err := of.Look(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	sum.Seq = 0 // as Core's record may be long behind
	tr.mirror = mirror.Start(of.system.Root, mirror.Config{
		ID: id, Core: tr.core, Now: time.Now, Told: func() session.Summary { return sum }, Refused: func() error { return nil },
	})
	return tr
}

func (tr *lostTree) append(t *testing.T, epoch uint64, lines []byte) {
	t.Helper()
	s := store.Stretch{First: tr.at.Head + 1, Epoch: epoch, Time: 1, Sources: []store.Made{{Count: bytes.Count(lines, []byte{'\n'})}}, Lines: lines}
	answers, err := tr.core.Append(t.Context(), []core.Batch{{Session: tr.id, Lease: tr.at.Lease, Stretch: s}})
	if err != nil || !answers[0].Taken {
		t.Fatal(answers, err)
	}
	tr.at = answers[0].At
	for line := range bytes.Lines(lines) {
		tr.lines = append(tr.lines, line)
	}
}

// lose has the log lose its last events, and go on with others, while the mirror holds it as it was. It gives a cursor among the lost.
func (tr *lostTree) lose(t *testing.T, lost, others int) (had protocol.Cursor) {
	t.Helper()
	var lines []byte
	for i := range lost + 5 {
		seq := tr.at.Head + uint64(i) + 1
		title := titleAt(seq)
		lines = protocol.AppendLine(lines, &protocol.Event{Seq: seq, Time: 1, Payload: &protocol.SessionMeta{Title: &title}})
	}
	tr.append(t, tr.at.Epoch, lines)
	holds := func(r ask.Reply[*session.Reader]) session.Message { return &session.Join{Reply: r, Name: "holds"} }
	r, err := ask.Ask(t.Context(), tr.mirror.Ref, holds)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Leave)
	tr.mirror.Moved(tr.at)
	for r.Ring.Head() < tr.at.Head {
		if err := r.Ring.Wait(t.Context(), r.Ring.Head()); err != nil {
			t.Fatal(err)
		}
	}
	had = protocol.Cursor{Epoch: tr.at.Epoch, Seq: tr.at.Head - 1}
	epoch, first := tr.at.Epoch+1, tr.at.Head-uint64(lost)+1
	a, err := tr.core.Rewind(t.Context(), core.Cut{Session: tr.id, Lease: tr.at.Lease, Epoch: epoch, First: first})
	if err != nil || !a.Taken {
		t.Fatal(a, err)
	}
	tr.at, tr.lines, tr.title = a.At, tr.lines[:first-1], titleAt(first-1)
	if others == 0 {
		return had
	}
	tr.title = fmt.Sprintf("title of epoch %d.", epoch)
	tr.said, lines = "said with the "+tr.title, nil
	for i, p := range []protocol.Payload{
		&protocol.Epoch{Epoch: epoch, Reason: "power"},
		&protocol.SessionMeta{Title: &tr.title},
		&protocol.EntryStart{EntryID: "e", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{}},
		&protocol.EntryEnd{EntryID: "e", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Text: tr.said}},
	} {
		lines = protocol.AppendLine(lines, &protocol.Event{Seq: first + uint64(i), Time: 1, Payload: p})
	}
	tr.append(t, epoch, lines)
	return had
}

// titleAt is that of an event which may be lost.
func titleAt(seq uint64) string { return fmt.Sprintf("title of event %d.", seq) }

func (tr *lostTree) log() []byte { return bytes.Join(tr.lines, nil) }

// TestLogThatChangesElsewhere: a session on another node loses its newest events, and Core has others of their numbers. Until this node hears of that, whoever
// reads the session gets the new log all the same, or is told that his cursor is of the old one.
//
// Proves: I16.4/read-changed
func TestLogThatChangesElsewhere(t *testing.T) {
	own := newHarness(t)
	id := own.create("echo")
	own.turn(id, strings.Repeat("first", 100))
	tr := newLostTree(t, own.tree, id, own.log(id, ""))
	h := serveTree(t, own.tree, func(c *Config) { c.Supervisor = tr })
	path := "/sessions/" + id
	version := func() string { return fmt.Sprint(tr.at.Head) }
	mcp := map[string]*mcpClient{oldEra: h.connect(oldEra), newEra: h.connect(newEra)}
	ways := map[string]func(t *testing.T, had protocol.Cursor){
		"log": func(t *testing.T, _ protocol.Cursor) {
			got := h.want(http.StatusOK, "GET", path+"/log", "")
			if !bytes.Equal(got.body, tr.log()) || got.Header.Get("X-Session-Epoch") != fmt.Sprint(tr.at.Epoch) || got.Header.Get("X-Session-Version") != version() {
				t.Errorf("%v\n%s", got.Header, got.body)
			}
		},
		"settled log": func(t *testing.T, _ protocol.Cursor) {
			if got := h.want(http.StatusOK, "GET", path+"/log?view=settled", ""); got.Header.Get("X-Session-Version") != version() {
				t.Errorf("%v", got.Header)
			}
		},
		"patch": func(t *testing.T, had protocol.Cursor) {
			p := h.refused(http.StatusGone, protocol.CodeCursorReset, "GET", path+"/log?since="+had.String(), "")
			if p.Epoch != tr.at.Epoch {
				t.Errorf("%+v", p)
			}
		},
		"log events": func(t *testing.T, _ protocol.Cursor) {
			f := h.follow(path + "/log/events")
			defer f.close()
			if f.rest(); !bytes.HasPrefix(tr.log(), f.lines) || len(f.ids) < 3 {
				t.Errorf("%s", f.lines)
			}
		},
		"stream": func(t *testing.T, _ protocol.Cursor) {
			f := h.stream(id, "0")
			defer f.close()
			if f.untilSeq(tr.at.Head); !bytes.Equal(f.lines, tr.log()) {
				t.Errorf("%s", f.lines)
			}
		},
		"state": func(t *testing.T, _ protocol.Cursor) {
			if got := h.want(http.StatusOK, "GET", path+"/state", ""); !strings.Contains(string(got.body), tr.title) {
				t.Errorf("%s", got.body)
			}
		},
		"session": func(t *testing.T, _ protocol.Cursor) {
			if got := h.want(http.StatusOK, "GET", path, ""); !strings.Contains(string(got.body), tr.title) {
				t.Errorf("%s", got.body)
			}
		},
		"merged stream": func(t *testing.T, _ protocol.Cursor) {
			f := h.merged(`{"sessions":{"` + id + `":"0"}}`)
			defer f.close()
			defer time.AfterFunc(10*time.Second, f.close).Stop()
			for !bytes.Equal(f.logs[id], tr.log()) {
				if m, ok := f.next(); !ok || m.kind == "refused" {
					t.Fatalf("it has ended, or is to come later: %s", m.data)
				}
			}
		},
	}
	ways["items of the merged stream"] = func(t *testing.T, had protocol.Cursor) {
		f := h.merged(`{"sessions":{"` + id + `":"` + had.String() + `"},"view":"items"}`)
		defer f.close()
		defer time.AfterFunc(10*time.Second, f.close).Stop()
		for !strings.Contains(fmt.Sprintf("%s", f.signal["item"]), tr.said) {
			if m, ok := f.next(); !ok || m.kind == "refused" {
				t.Fatalf("it has ended, or is to come later: %s", m.data)
			}
		}
	}
	for era, c := range mcp {
		ways["MCP events "+era] = func(t *testing.T, _ protocol.Cursor) {
			if text := fmt.Sprintf("%+v", c.poll(id, 1000, everyType...)); !strings.Contains(text, tr.said) {
				t.Errorf("%s", text)
			}
		}
		for _, what := range []string{"state", "log"} {
			ways["MCP "+what+" "+era] = func(t *testing.T, _ protocol.Cursor) {
				var text string
				for more, since := any(true), ""; more == true; {
					r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "session://" + id + "/" + what + since})
					if err != nil {
						t.Fatal(err)
					}
					page := r.Contents[0]
					more, since, text = page.Meta["has_more"], fmt.Sprint("?since=", page.Meta["cursor"]), text+page.Text
				}
				if !strings.Contains(text, tr.title) {
					t.Error(text)
				}
			}
		}
	}
	// Core says of a log that is shorter that it does not have what is asked for: so it does of one whose node is ahead.
	for name, c := range map[string]struct{ lost, others int }{"longer": {2, 4}, "shorter": {8, 4}, "nothing said since": {3, 0}} {
		for way, read := range ways {
			t.Run(name+"/"+way, func(t *testing.T) {
				h.t = t
				for _, client := range mcp {
					client.t = t
				}
				read(t, tr.lose(t, c.lost, c.others))
			})
		}
	}
}
