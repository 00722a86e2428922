package model_test

import (
	"slices"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/scenarios/model"
)

// says makes the move of an agent that says something.
func (w *world) says(x *session, then func(), drafts ...adapters.Draft) move {
	return move{func() reply {
		w.daemon.stage.say(x.id, drafts...)
		return reply{}
	}, func() model.Answer {
		then()
		return model.Answer{}
	}}
}

func (w *world) ready(x *session) move {
	return w.says(x, x.model.IsReady, adapters.Ready{NativeSessionID: "n"})
}

func (w *world) turnBegins(x *session) move {
	return w.says(x, x.model.TurnBegan, adapters.TurnBegan{})
}

func (w *world) turnEnds(x *session) move {
	status := draw(w, "status", protocol.TurnCompleted, protocol.TurnCompleted, protocol.TurnInterrupted, protocol.TurnError)
	key := 0
	d := adapters.TurnEnded{Status: status}
	if i := w.openEntry(x); i != nil && i.Kind == model.Tool && draw(w, "runs on", true, false, false) {
		key = i.Key
		d.Running = []adapters.EntryKey{adapters.EntryKey(key)}
	}
	return w.says(x, func() { x.model.TurnEnded(status, key) }, d)
}

// openEntry is one of the open entries; nil: there is none.
func (w *world) openEntry(x *session) *model.Item {
	keys := w.openKeys(x, model.Message, model.Tool)
	if len(keys) == 0 {
		return nil
	}
	return x.model.Entry(draw(w, "entry", keys...))
}

// openKeys are the keys of the open entries of some kinds.
func (w *world) openKeys(x *session, kinds ...model.Kind) (keys []int) {
	for _, i := range x.model.Items {
		if i.Status == "" && slices.Contains(kinds, i.Kind) {
			keys = append(keys, i.Key)
		}
	}
	return keys
}

func (w *world) entryOpens(x *session) move {
	x.keys++
	key := x.keys
	if draw(w, "tool", true, false) {
		return w.says(x, func() { x.model.Begins(model.Item{Kind: model.Tool, Key: key}) }, adapters.EntryOpened{
			Key: adapters.EntryKey(key), Type: protocol.EntryToolCall, Data: &protocol.ToolCallData{ToolName: "sh", CallID: "c", Status: protocol.ToolRunning},
		})
	}
	return w.says(x, func() { x.model.Begins(model.Item{Kind: model.Message, Key: key}) }, adapters.EntryOpened{
		Key: adapters.EntryKey(key), Type: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"},
	})
}

func (w *world) entryGrows(x *session) move {
	i := w.openEntry(x)
	if i == nil {
		return w.entryOpens(x)
	}
	key := i.Key
	return w.says(x, func() { x.model.Entry(key).Text += "x" },
		adapters.EntryChanged{Key: adapters.EntryKey(key), Delta: &protocol.TextAppend{Text: "x"}})
}

func (w *world) entryCloses(x *session) move {
	i := w.openEntry(x)
	if i == nil {
		return w.entryOpens(x)
	}
	key := i.Key
	var data protocol.EntryData = &protocol.MessageData{Role: "assistant", Text: i.Text + "."}
	if i.Kind == model.Tool {
		data = &protocol.ToolCallData{ToolName: "sh", CallID: "c", Status: protocol.ToolCompleted, Output: i.Text + "."}
	}
	return w.says(x, func() {
		i := x.model.Entry(key)
		i.Text, i.Status = i.Text+".", "complete"
	}, adapters.EntryClosed{Key: adapters.EntryKey(key), Data: data})
}

var approval = protocol.RequestOpened{Kind: protocol.RequestApproval, Title: "?", ToolKind: protocol.ToolExecute, Options: []protocol.Option{
	{ID: protocol.AllowOnce}, {ID: protocol.AllowAlways}, {ID: protocol.DenyContinue}, {ID: protocol.DenyStop},
}}

func (w *world) asks(x *session) move {
	x.keys++
	i := model.Item{Kind: draw(w, "kind", model.Approval, model.Approval, model.Question), Key: x.keys}
	r := adapters.RequestOpened{Key: adapters.RequestKey(i.Key), Request: protocol.RequestOpened{
		Kind: protocol.RequestQuestion, Title: "?", Questions: []protocol.Question{{Text: "?", FreeText: true}},
	}}
	if i.Kind == model.Approval {
		r.Request = approval
		if tools := w.openKeys(x, model.Tool); len(tools) > 0 {
			i.Tool = draw(w, "tool", tools...)
			r.Entry = adapters.EntryKey(i.Tool)
		}
	}
	return w.says(x, func() { x.model.Begins(i) }, r)
}

func (w *world) withdraws(x *session) move {
	key := rapid.IntRange(1, x.keys+1).Draw(w.T, "request")
	for _, i := range x.model.Items {
		if i.Status == "" && (i.Kind == model.Approval || i.Kind == model.Question) {
			key = i.Key
		}
	}
	return w.says(x, func() { x.model.Withdraws(key) },
		adapters.RequestClosed{Key: adapters.RequestKey(key), Outcome: protocol.OutcomeCancelled})
}

func (w *world) enters(x *session) move {
	phase := draw(w, "phase", protocol.StateResponding, protocol.StateRetrying, protocol.StateCompacting)
	return w.says(x, func() { x.model.Enters(phase) }, adapters.PhaseChanged{State: phase, RetryAt: 5})
}

func (w *world) answersPrompt(x *session) move {
	id := w.somePrompt(x)
	for _, i := range x.model.Items {
		if i.Kind == model.Turn && i.Status == "" && i.Text != "" && draw(w, "of the turn", true, false) {
			id = i.Text
		}
	}
	status, d := protocol.TurnCompleted, adapters.PromptAnswered{ID: id, Result: adapters.PromptHandled}
	if draw(w, "refused", true, false) {
		status, d.Result, d.Error = protocol.TurnError, adapters.PromptRefused, "no"
	}
	return w.says(x, func() { x.model.PromptAnswered(id, status) }, d)
}

func (w *world) exits(x *session) move {
	clean := draw(w, "clean", true, false)
	return move{func() reply {
		exit := adapters.Exit{Code: 1}
		if clean {
			exit.Code = 0
		}
		w.daemon.stage.exit(x.id, exit)
		return reply{}
	}, func() model.Answer {
		x.model.Exits(clean)
		return model.Answer{}
	}}
}

// nextStart says how the session's next agents will start.
func (w *world) nextStart(x *session) {
	how := draw(w, "start", slow, failed, failed)
	w.daemon.stage.prepare(x.id, slices.Repeat([]start{how}, rapid.IntRange(1, 6).Draw(w.T, "times"))...)
}

// timePasses lets some of it pass.
func (w *world) timePasses() {
	w.steps++
	w.sleep(draw(w, "time", time.Millisecond, 700*time.Millisecond, 3*time.Second, 11*time.Second, 61*time.Second, 17*time.Minute))
}

// firstClock is before any time that a machine's clock shows, which begins with Unix time: deadlines count from there.
var firstClock = time.Date(1971, 1, 1, 0, 0, 0, 0, time.UTC)

// clockJumps sets the wall clock, and nothing else.
func (w *world) clockJumps() {
	w.steps++
	years, seconds := rapid.IntRange(-10, 10).Draw(w.T, "years"), rapid.IntRange(-90, 90).Draw(w.T, "seconds")
	jump := time.Duration(years)*365*24*time.Hour + time.Duration(seconds)*time.Second
	earliest := time.Until(firstClock) - time.Duration(w.daemon.offset.Load())
	w.daemon.offset.Add(int64(max(jump, earliest)))
	w.idle()
}

// restarts ends the daemon, in order or not, and starts the next one.
func (w *world) restarts(killed bool) {
	w.steps++
	w.settle() // an agent may have become ready since the last look: what it was told is forgotten with this daemon, on both sides
	end := w.daemon.drain
	if killed {
		end = w.daemon.kill
		w.readersLeave()
	}
	if err := end(); err != nil {
		w.wrong("the daemon did not end", "%v", err)
	}
	w.readersLeave()
	w.daemon.stage.told()
	w.daemon.stage.news()
	for _, x := range w.sessions {
		x.model.Restarted()
		x.dormant, x.killed = x.model.Agent == model.Gone, killed
	}
	if err := w.daemon.start(); err != nil {
		w.wrong("the daemon does not start", "%v", err)
	}
	w.idle()
}

// diskFails lets the disk refuse what a move writes. Nothing of it may be seen, nothing else be taken, until the disk is mended; then
// it is as if it had never been broken.
func (w *world) diskFails(x *session, m move) {
	for _, other := range w.sessions {
		if due := other.model.Due(); other.model.Agent == model.Starting || due > 0 && due < w.now()+2*time.Second {
			w.step(x, m.do, m.then)
			return
		}
	}
	w.readOn(x)
	before := x.fold.Seq
	w.daemon.disk.fill(rapid.IntRange(0, 400).Draw(w.T, "room"), draw(w, "syncs fail", true, false))
	done := make(chan reply, 1)
	go func() { done <- m.do() }()
	synctest.Wait()
	waits := false // until the disk is mended
	if w.daemon.disk.refuses() {
		var d resource.SessionDetail
		w.get("/sessions/"+x.id, &d)
		switch waits = d.ReadOnly; {
		case waits:
			w.readOn(x)
			if len(done) == 0 { // else the move came to its end, and what it set going did not
				w.same("newest event on a broken disk", x.fold.Seq, before)
			}
			r := w.daemon.do(w.ctx, "POST", "/sessions/"+x.id+"/prompts", `{"text":"c"}`)
			w.same("answer on a broken disk", r.code(), protocol.CodeReadOnly)
		case len(done) == 0: // else it was nothing that this needed, such as what a list is made of
			w.wrong("an operation waits, and the session is not read-only", "%s", x.id)
		}
	}
	w.daemon.disk.free()
	if waits {
		time.Sleep(1100 * time.Millisecond) // the session tries again each second
		synctest.Wait()
	}
	w.step(x, func() reply { return <-done }, m.then)
}
