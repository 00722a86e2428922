package codex

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// history is what a resumed thread has that the log lacks: turns that went on while nobody listened. Turns are fetched
// from the newest backwards until one meets the log; what the server says meanwhile waits.
type history struct {
	busy   bool       // the answer to thread/resume, or pages, come: other lines wait
	active bool       // the thread is at work
	asks   bool       // it may wait for answers
	turns  []pastTurn // newest first
	pages  int
	lines  [][]byte
	bytes  int
}

// Bounds of the pages, and of what waits for them. Where they do not suffice, the gap is told.
const (
	pageTurns  = 20
	maxPages   = 50
	maxWaiting = 4096
	maxWaits   = 4 << 20 // bytes
)

// resume asks for a thread. Its newest turns come with the answer.
func (h *history) resume(thread string, l *link, out *adapters.Output) {
	h.busy = true
	l.ask(&asking{method: "thread/resume"}, threadResume{
		ThreadID: thread, ExcludeTurns: true, FirstPage: turnsRequest{Limit: pageTurns, View: "full", Direction: "desc"},
	}, out)
}

// begin takes the answer to thread/resume; done says that no page is to come.
func (h *history) begin(a *asking, result []byte, t *thread, out *adapters.Output) (done bool) {
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
	return h.take(a, page, t, out)
}

// page takes a further page; done says that it was the last.
func (h *history) page(a *asking, result []byte, problem string, t *thread, out *adapters.Output) (done bool) {
	if !h.busy || !a.mine {
		return false
	}
	var page turnsPage
	_ = native.Decode(result, &page)
	if problem != "" {
		out.Draft(adapters.Notice{Level: "warning", Kind: "history_gap", Text: "The agent's history could not be read: " + problem})
		page = turnsPage{}
	}
	return h.take(a, page, t, out)
}

func (h *history) take(a *asking, page turnsPage, t *thread, out *adapters.Output) (done bool) {
	h.turns = append(h.turns, page.Data...)
	h.pages++
	if a.mine && page.Next != "" && len(page.Data) > 0 && h.pages < maxPages && !logged(t, page.Data) {
		h.busy = true
		t.link.ask(&asking{method: "thread/turns/list"}, turnsRequest{
			ThreadID: t.link.thread, Cursor: page.Next, Limit: pageTurns, View: "full", Direction: "desc",
		}, out)
		return false
	}
	if page.Next != "" && h.pages >= maxPages {
		gap(out)
	}
	return true
}

func gap(out *adapters.Output) {
	out.Draft(adapters.Notice{
		Level: "warning", Kind: "history_gap", Text: "The agent's history is longer than what was fetched of it: older entries are missing here.",
	})
}

// logged says that one of the turns is in the log already.
func logged(t *thread, turns []pastTurn) bool {
	return slices.ContainsFunc(turns, func(p pastTurn) bool {
		return t.link.rejoining && (t.ended.has(p.ID) || t.turn.is(p.ID)) || p.has(t.spec.Known)
	})
}

// holds keeps a line that comes while pages come; responses do not wait. full says that there is no more room.
func (h *history) holds(line []byte, m *message) (held, full bool) {
	if !h.busy || m.isResponse() {
		return false, false
	}
	h.lines = append(h.lines, bytes.Clone(line))
	h.bytes += len(line)
	return true, h.bytes > maxWaits || len(h.lines) > maxWaiting
}

// missed says what the log lacks, in order, and begins the turn that runs. In a recording somebody else asked: what was told then of turns that
// are over adds to a log only where it is known what the log has (wanted). What was told of the turn that runs is its beginning, and belongs into it.
func (h *history) missed(t *thread, wanted bool, out *adapters.Output) {
	turns := h.turns
	slices.Reverse(turns)
	t.usage.repeats = true
	known := map[string]bool{}
	for _, id := range t.spec.Known {
		known[id] = true
	}
	met := !slices.ContainsFunc(turns, func(p pastTurn) bool { return logged(t, []pastTurn{p}) })
	wanted = wanted || len(known) > 0
	added := 0
	for i, turn := range turns {
		runs := h.active && i == len(turns)-1 && turn.Status == "inProgress"
		switch {
		case runs && !t.turn.on:
			for w := range turn.users() {
				if text := promptText(w, t.entries.limit); text != "" && !known[w.ID] {
					t.prompts.started = &protocol.Prompt{Text: text}
				}
				break
			}
			t.beginTurn(turn.ID, out) // ready only then, or a prompt would go into it
			t.turn.started = true
		case !runs:
			t.ended.add(turn.ID)
		}
		for w := range turn.items() {
			switch {
			case known[w.ID]:
				met = true
				if runs && w.Status != "inProgress" {
					t.entries.know(turn.ID, w)
				}
			case !met, !wanted && !runs: // older than what the log knows of itself
			case w.Status == "inProgress":
				if runs {
					t.open(turn.ID, w, gapMark, out)
				}
			default:
				t.entries.recover(turn.ID, w, t.prompts.pictures(w), out)
				added++
			}
		}
	}
	if h.active && !t.turn.on {
		t.beginTurn("", out)
	}
	if added > 0 && len(known) > 0 {
		out.Draft(adapters.Notice{Level: "info", Kind: "caught_up", Text: fmt.Sprintf("Entries that were missed while nobody listened: %d.", added)})
	}
}

// promptText is what a user's message says, cut to limit bytes.
func promptText(w *wireItem, limit int) string {
	var parts []userInput
	_ = native.Decode(w.Content, &parts)
	s, _ := native.Cut(joinInput(parts), limit)
	return s
}
