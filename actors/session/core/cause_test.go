package core

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Every way in which a turn can end other than well says why, whichever status the agent gives a turn that was lost; and the items of a
// lost one are an error and a failed status, never a completion.
// Proves: I10.1/lost
func TestCauseOfTheEndOfATurn(t *testing.T) {
	killed := adapters.Exit{Code: -1, Signal: "killed"}
	stopped := adapters.Exit{Requested: true}
	for name, c := range map[string]struct {
		do   func(w *world)
		want protocol.TurnCause
	}{
		"agent killed":            {func(w *world) { w.exit(killed) }, protocol.CauseLost},
		"agent exits with a code": {func(w *world) { w.exit(adapters.Exit{Code: 3}) }, protocol.CauseLost},
		"agent exits cleanly":     {func(w *world) { w.exit(adapters.Exit{}) }, protocol.CauseLost},
		"connection broken":       {func(w *world) { w.exit(adapters.Exit{Code: -1, Error: "the connection broke"}) }, protocol.CauseLost},
		"model fails": {func(w *world) {
			w.say(adapters.TurnEnded{Status: protocol.TurnError, Error: "500"})
		}, protocol.CauseAgent},
		"agent stops by itself": {func(w *world) { w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted}) }, protocol.CauseAgent},
		"prompt refused": {func(w *world) {
			w.say(adapters.TurnEnded{Status: protocol.TurnCompleted})
			send(t, w, "two", "", "")
			w.say(adapters.PromptAnswered{ID: "p2", Result: adapters.PromptRefused, Error: "no"})
		}, protocol.CauseAgent},
		"agent tells that it was lost": {func(w *world) {
			w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted, Lost: true})
		}, protocol.CauseLost},
		"client interrupts, connection is lost": {func(w *world) {
			w.step(&Interrupt{By: "client:x"})
			w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted, Lost: true})
		}, protocol.CauseUser},
		"client interrupts": {func(w *world) {
			w.step(&Interrupt{By: "client:x"})
			w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted})
		}, protocol.CauseUser},
		"client interrupts, agent dies of it": {func(w *world) { w.step(&Interrupt{By: "client:x"}); w.exit(killed) }, protocol.CauseUser},
		"client interrupts, agent is deaf": {func(w *world) {
			w.step(&Interrupt{By: "client:x"})
			w.step(&InterruptOverdue{TurnID: w.core.turn.ID()})
			w.exit(adapters.Exit{Code: -1, Signal: "killed", Requested: true})
		}, protocol.CauseUser},
		"client interrupts another turn, then this one": {func(w *world) {
			w.step(&Interrupt{By: ByParent, TurnID: "t7"})
			w.step(&Interrupt{By: "client:x", TurnID: w.core.turn.ID()})
			w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted})
		}, protocol.CauseUser},
		"parent interrupts": {func(w *world) {
			w.step(&Interrupt{By: ByParent})
			w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted})
		}, protocol.CauseParent},
		"parent interrupts, then a client": {func(w *world) {
			w.step(&Interrupt{By: ByParent})
			w.step(&Interrupt{By: "client:x"})
			w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted})
		}, protocol.CauseParent},
		"client ends the session": {func(w *world) { w.step(&End{}); w.exit(stopped) }, protocol.CauseUser},
		"parent ends":             {func(w *world) { w.step(&End{By: ByParent}); w.exit(stopped) }, protocol.CauseParent},
		"daemon is stopped": {func(w *world) {
			w.step(&Park{Drain: true})
			w.exit(stopped)
		}, protocol.CauseDaemon},
		"connection let go": {func(w *world) { w.exit(stopped) }, protocol.CauseDaemon},
		"client denies, agent stops": {func(w *world) {
			denyWith(w, protocol.DenyStop)
			w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted})
		}, protocol.CauseUser},
		"client denies, agent goes on and is lost": {func(w *world) {
			denyWith(w, protocol.DenyContinue)
			w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted, Lost: true})
		}, protocol.CauseLost},
		"client denies, agent goes on and stops by itself": {func(w *world) {
			denyWith(w, protocol.DenyContinue)
			w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted})
		}, protocol.CauseAgent},
		"client denies, agent stops, connection is lost": {func(w *world) {
			denyWith(w, protocol.DenyStop)
			w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted, Lost: true})
		}, protocol.CauseUser},
		"daemon restarted": {func(w *world) { w.step(&Recover{Reason: "daemon restarted"}) }, protocol.CauseDaemon},
	} {
		for _, lost := range []protocol.TurnStatus{protocol.TurnError, protocol.TurnInterrupted} {
			w := newWorld(t)
			w.core.limits.LostTurn = lost
			ready(w)
			send(t, w, "one", "", "")
			w.say(adapters.TurnBegan{}, text(1), adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: "half"}})
			c.do(w)
			var items protocol.Items
			var told []protocol.SessionEvent
			var end *protocol.TurnEnd
			for i := range w.log {
				if p, ok := w.log[i].Payload.(*protocol.TurnEnd); ok && p.Status != protocol.TurnCompleted {
					end = p
				}
				if it, ok := items.Item(&w.log[i]); ok && (it.Outcome != "" && it.Outcome != protocol.ItemCompleted || len(told) > 0) {
					told = append(told, it)
				}
			}
			if end == nil || end.Cause != c.want || end.Failed() != (c.want == protocol.CauseLost || end.Status == protocol.TurnError) {
				t.Errorf("%s, %s: %+v, want %s\n%s", name, lost, end, c.want, w.text())
				continue
			}
			if len(told) == 0 || told[0].Reason != c.want || (told[0].Type == protocol.ItemError) != end.Failed() || told[0].TurnID != end.TurnID {
				t.Errorf("%s, %s: items %+v", name, lost, told)
				continue
			}
			if said := len(told) > 1 && told[1].Type == protocol.ItemStatus && told[1].Text == "failed"; said != (c.want == protocol.CauseLost) {
				t.Errorf("%s, %s: after the end %+v", name, lost, told[1:])
			}
		}
	}
}

// denyWith has the agent ask, and a client answer with an option.
func denyWith(w *world, option string) {
	w.say(adapters.RequestOpened{Key: 1, Request: protocol.RequestOpened{Kind: protocol.RequestApproval, Title: "May it?", Options: []protocol.Option{{ID: option}}}})
	w.step(&Resolve{RequestID: "r1", Option: option, By: "client:x"})
}
