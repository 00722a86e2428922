package model_test

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/scenarios/model"
)

// compare holds everything that can be seen against the models.
func (w *world) compare() {
	var page struct {
		Sessions []resource.SessionSummary
		Total    int
	}
	w.get("/sessions", &page)
	w.same("number of sessions", page.Total, len(w.sessions))
	for i := range page.Sessions {
		sum := &page.Sessions[i]
		x := w.find(sum.ID)
		if x == nil {
			w.wrong("a session that nobody made", "%s", sum.ID)
		}
		w.same("state in the list", sum.Status.State, x.model.State())
		w.same("queue in the list", sum.Status.QueuedPrompts, len(x.model.Queue))
	}
	heard := w.daemon.stage.told()
	for _, x := range w.sessions {
		w.same("what the agent was told", strings.Join(heard[x.id], "\n"), strings.Join(x.model.Told, "\n"))
		x.model.Told = nil
		if !x.dormant {
			w.compareOne(x)
		}
	}
}

// compareOne reads on in a session's log and compares what it says, and what the API says, with the model.
func (w *world) compareOne(x *session) {
	w.readOn(x)
	var d resource.SessionDetail
	w.get("/sessions/"+x.id, &d)
	m := x.model
	w.same("state", d.Status.State, m.State())
	w.same("queue in the status", d.Status.QueuedPrompts, len(m.Queue))
	w.same("newest event", d.Seq, x.fold.Seq)
	w.same("epoch", d.Epoch, uint64(1))
	w.same("read-only", d.ReadOnly, false)
	w.same("end", x.fold.End != nil, m.End != "")
	w.same("policy", policyText(d.Policy), policyText(&m.Policy))
	var queue, inLog, want strings.Builder
	for i := range d.Queue {
		p := &d.Queue[i]
		fmt.Fprintf(&queue, "%s %q %s sent %v\n", p.PromptID, p.Text, p.StreamingBehavior, p.Sent)
	}
	for _, p := range x.fold.Queue {
		fmt.Fprintf(&inLog, "%s ", p.PromptID)
	}
	ids := ""
	for _, p := range m.Queue {
		fmt.Fprintf(&want, "%s %q %s sent %v\n", p.ID, p.Text, p.Behavior, p.Sent)
		ids += p.ID + " "
	}
	w.same("queue", queue.String(), want.String())
	w.same("queue in the log", inLog.String(), ids)
	w.compareItems(x, &d)
	w.compareReaders(x, len(d.Readers))
}

// compareItems compares turns, entries and requests.
func (w *world) compareItems(x *session, d *resource.SessionDetail) {
	var turns, entries, requests, open strings.Builder
	for _, t := range x.fold.Turns {
		prompt := ""
		if t.Prompt != nil {
			prompt = t.Prompt.PromptID
		}
		fmt.Fprintf(&turns, "%s of %q: %q\n", t.TurnID, prompt, t.Status)
	}
	for _, e := range x.fold.Entries {
		status := ""
		switch {
		case e.Incomplete:
			status = "incomplete"
		case !e.Open:
			status = "complete"
		}
		switch data := e.Data.(type) {
		case *protocol.MessageData:
			fmt.Fprintf(&entries, "%s in %q: %q %q\n", e.EntryType, e.TurnID, data.Text, status)
		case *protocol.ToolCallData:
			fmt.Fprintf(&entries, "%s in %q: %q %q, waits %v\n", e.EntryType, e.TurnID, data.Output, status, e.Open && data.Status == protocol.ToolAwaitingApproval)
		default:
		}
	}
	n := 0
	for _, r := range x.fold.Requests {
		status, by := "", ""
		if r.Resolved != nil {
			status, by = string(r.Resolved.Outcome), r.Resolved.By
		}
		fmt.Fprintf(&requests, "%s in %q: %q by %q\n", r.Kind, r.TurnID, status, by)
		for ; n < len(x.model.Items); n++ { // the daemon chooses the ids
			if i := &x.model.Items[n]; i.Kind == model.Approval || i.Kind == model.Question {
				i.ID = r.RequestID
				n++
				break
			}
		}
	}
	for i := range d.Requests {
		fmt.Fprintf(&open, "%s ", d.Requests[i].RequestID)
	}
	var wantTurns, wantEntries, wantRequests, wantOpen strings.Builder
	for _, i := range x.model.Items {
		switch i.Kind {
		case model.Turn:
			fmt.Fprintf(&wantTurns, "%s of %q: %q\n", i.ID, i.Text, i.Status)
		case model.Message:
			fmt.Fprintf(&wantEntries, "%s in %q: %q %q\n", i.Kind, i.Turn, i.Text, i.Status)
		case model.Tool:
			fmt.Fprintf(&wantEntries, "%s in %q: %q %q, waits %v\n", i.Kind, i.Turn, i.Text, i.Status, i.Status == "" && i.Waits)
		default:
			fmt.Fprintf(&wantRequests, "%s in %q: %q by %q\n", i.Kind, i.Turn, i.Status, i.By)
			if i.Status == "" {
				fmt.Fprintf(&wantOpen, "%s ", i.ID)
			}
		}
	}
	w.same("turns", turns.String(), wantTurns.String())
	w.same("entries", entries.String(), wantEntries.String())
	w.same("requests", requests.String(), wantRequests.String())
	w.same("open requests", open.String(), wantOpen.String())
}

func policyText(p *protocol.Policy) string {
	if p == nil {
		p = &protocol.Policy{}
	}
	return fmt.Sprint(cmp.Or(p.Mode, protocol.PolicyAsk), p.Deadline, p.Default)
}

// readOn takes the events since the last time.
func (w *world) readOn(x *session) {
	r := w.daemon.do(w.ctx, "GET", fmt.Sprintf("/sessions/%s/log?since=%d", x.id, len(x.log)), "")
	if r.status != 200 {
		w.wrong("the log cannot be read", "%d %s", r.status, r.body)
	}
	for line := range bytes.Lines(r.body) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		e, err := protocol.Decode(line)
		if err == nil {
			err = x.audit.Take(&e)
		}
		if err != nil {
			w.wrong("the log is not well formed", "%v\n%s", err, line)
		}
		x.log = append(x.log, line)
		x.fold.Apply(&e)
	}
}
