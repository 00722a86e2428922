package codex

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// history is what a resumed thread has that the log lacks: turns that went on while nobody listened. Turns are fetched
// from the newest backwards until one meets the log; what the server says meanwhile waits.
type history struct {
	joining bool       // the thread is not ready yet
	busy    bool       // the answer to thread/resume, or pages, come: other lines wait
	active  bool       // the thread is at work
	asks    bool       // it may wait for answers
	turns   []pastTurn // newest first
	pages   int
	lines   [][]byte
	bytes   int
}

// Bounds of the pages, and of what waits for them. Where they do not suffice, the gap is told.
const (
	pageTurns  = 20
	maxPages   = 50
	maxWaiting = 4096
	maxWaits   = 4 << 20 // bytes
)

// turnsRequest are the parameters of thread/turns/list, and of the first page in thread/resume.
type turnsRequest struct {
	ThreadID  string `json:"threadId,omitempty"`
	Cursor    string `json:"cursor,omitempty"`
	Limit     int    `json:"limit"`
	View      string `json:"itemsView"`
	Direction string `json:"sortDirection"`
}

// turnsPage is a page of turns, the newest first.
type turnsPage struct {
	Data []pastTurn `json:"data"`
	Next string     `json:"nextCursor"`
}

type pastTurn struct {
	ID     string            `json:"id"`
	Status string            `json:"status"`
	Error  *turnError        `json:"error"`
	Items  []json.RawMessage `json:"items"`
}

// join begins with the answer to thread/resume. In a recording somebody else asked: what he was told of turns that are over adds to a
// log only where it is known what the log has. What he was told of the turn that runs is its beginning, and belongs into it.
func (t *Translator) join(a *asking, result []byte, out *adapters.Output) {
	h := &t.history
	var r struct {
		Thread struct {
			Status struct {
				Type  string   `json:"type"`
				Flags []string `json:"activeFlags"`
			} `json:"status"`
			Turns []pastTurn `json:"turns"`
		} `json:"thread"`
		Page turnsPage `json:"initialTurnsPage"`
	}
	_ = native.Decode(result, &r)
	h.active = r.Thread.Status.Type == "active"
	h.asks = r.Thread.Status.Flags == nil || len(r.Thread.Status.Flags) > 0
	page := r.Page
	if len(page.Data) == 0 {
		page.Data = r.Thread.Turns
		slices.Reverse(page.Data)
	}
	h.take(t, a, page, out)
}

// page takes a further page.
func (h *history) page(t *Translator, a *asking, result []byte, problem string, out *adapters.Output) {
	if !h.busy || !a.mine {
		return
	}
	var page turnsPage
	_ = native.Decode(result, &page)
	if problem != "" {
		out.Draft(adapters.Notice{Level: "warning", Kind: "history_gap", Text: "The agent's history could not be read: " + problem})
		page = turnsPage{}
	}
	h.take(t, a, page, out)
}

func (h *history) take(t *Translator, a *asking, page turnsPage, out *adapters.Output) {
	h.turns = append(h.turns, page.Data...)
	h.pages++
	if a.mine && page.Next != "" && len(page.Data) > 0 && h.pages < maxPages && !t.meetsLog(page.Data) {
		h.busy = true
		t.ask(&asking{method: "thread/turns/list"}, turnsRequest{
			ThreadID: t.thread, Cursor: page.Next, Limit: pageTurns, View: "full", Direction: "desc",
		}, out)
		return
	}
	if page.Next != "" && h.pages >= maxPages {
		h.gap(out)
	}
	h.finish(t, a.mine, out)
}

func (h *history) gap(out *adapters.Output) {
	out.Draft(adapters.Notice{
		Level: "warning", Kind: "history_gap", Text: "The agent's history is longer than what was fetched of it: older entries are missing here.",
	})
}

// meetsLog says that one of the turns is in the log already.
func (t *Translator) meetsLog(turns []pastTurn) bool {
	for _, turn := range turns {
		if t.link.rejoining && (t.ended.has(turn.ID) || t.turn.is(turn.ID)) {
			return true
		}
		for _, raw := range turn.Items {
			if slices.Contains(t.spec.Known, text(raw, "id")) {
				return true
			}
		}
	}
	return false
}

// holds keeps a line that comes while pages come; responses do not wait. Out of room, the rest is given up.
func (h *history) holds(t *Translator, line []byte, m *message, out *adapters.Output) bool {
	if !h.busy || m.isResponse() {
		return false
	}
	h.lines = append(h.lines, bytes.Clone(line))
	if h.bytes += len(line); h.bytes > maxWaits || len(h.lines) > maxWaiting {
		h.gap(out)
		h.finish(t, true, out)
	}
	return true
}

// finish says what the log lacks, in order, begins the turn that runs, and takes what has waited.
func (h *history) finish(t *Translator, wanted bool, out *adapters.Output) {
	turns, lines, active := h.turns, h.lines, h.active
	slices.Reverse(turns)
	if t.link.rejoining {
		asks := h.asks
		*h = history{}
		t.catchUp(turns, active, asks, out)
		t.release(lines, out)
		return
	}
	*h = history{joining: true}
	t.usage.repeats = true
	known := map[string]bool{}
	for _, id := range t.spec.Known {
		known[id] = true
	}
	met := !slices.ContainsFunc(turns, func(p pastTurn) bool { return t.meetsLog([]pastTurn{p}) })
	wanted = wanted || len(known) > 0
	added := 0
	for i, turn := range turns {
		runs := active && i == len(turns)-1 && turn.Status == "inProgress"
		switch {
		case runs && !t.turn.on:
			for w := range turn.users() {
				if text := t.promptText(w); text != "" && !known[w.ID] {
					t.prompts.started = &protocol.Prompt{Text: text}
				}
				break
			}
			t.beginTurn(turn.ID, out) // ready only then, or a prompt would go into it
			t.turn.started = true
		case !runs:
			t.ended.add(turn.ID)
		}
		for _, raw := range turn.Items {
			var w wireItem
			_ = native.Decode(raw, &w)
			switch {
			case w.ID == "" || w.entryType() == "":
			case known[w.ID]:
				met = true
				if runs && w.Status != "inProgress" { // what comes of it again is not new
					t.items[w.ID] = &item{typ: w.Type, id: w.ID, turn: turn.ID, closed: true, older: t.items[w.ID]}
				}
			case !met, !wanted && !runs: // older than what the log knows of itself
			case w.Status == "inProgress":
				if runs {
					t.openItem(turn.ID, &w, gapMark, out)
				}
			default:
				t.recover(turn.ID, &w, out)
				added++
			}
		}
	}
	if active && !t.turn.on {
		t.beginTurn("", out)
	}
	if added > 0 && len(known) > 0 {
		out.Draft(adapters.Notice{Level: "info", Kind: "caught_up", Text: fmt.Sprintf("Entries that were missed while nobody listened: %d.", added)})
	}
	h.joining = false
	t.ready(out)
	t.askModels(out)
	t.release(lines, out)
}

// release takes lines that have waited.
func (t *Translator) release(lines [][]byte, out *adapters.Output) {
	for _, line := range lines {
		t.Line(line, out)
	}
}

// unheld ends the waiting without a history.
func (t *Translator) unheld(out *adapters.Output) {
	lines := t.history.lines
	t.history = history{}
	t.release(lines, out)
}

// gapMark marks an entry whose beginning was not seen.
var gapMark = []protocol.Member{{Key: "gap", Value: []byte("true")}}

// recover says an item that was over before this connection began, and marks it.
func (t *Translator) recover(turn string, w *wireItem, out *adapters.Output) {
	data := t.data(w)
	addExtra(data, []protocol.Member{{Key: "recovered", Value: []byte("true")}})
	it := &item{typ: w.Type, id: w.ID, turn: turn, key: t.entry(), closed: true, older: t.items[w.ID]}
	t.items[w.ID] = it
	out.Draft(adapters.EntryOpened{Key: it.key, Type: w.entryType(), Data: data, PersistentID: w.ID})
	out.Draft(adapters.EntryClosed{Key: it.key, Data: data})
}
