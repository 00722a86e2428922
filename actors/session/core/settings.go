package core

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// settings is the part of a state that has the model and the mode: what is in force, what was chosen and waits, and what the running agent offers
// and was told.
type settings struct {
	asked   string             // model as asked for at the creation, or chosen later
	mode    string             // in force
	waiting map[Setting]string // chosen, and not in force yet; nil: nothing
	agent   *told              // nil: no agent runs, or there is nothing to know
}

// told is what the running agent offers, and what it was told of models and modes.
type told struct {
	offered adapters.Offered
	asked   map[string]*Choose // by the command's id: clients wait
	passed  map[string]Setting // likewise: choices that waited, and nobody waits for the answer
	values  map[Setting]string // of those: what this agent was told, at its start or since
	count   int                // of commands
}

// toldNothing is read where an agent was told nothing. It is never written to.
var toldNothing told

// have is told of the running agent, to be read only.
func (s *settings) have() *told {
	if s.agent == nil {
		return &toldNothing
	}
	return s.agent
}

// note is where to note something of the running agent.
func (s *settings) note() *told {
	if s.agent == nil {
		s.agent = &told{asked: map[string]*Choose{}, passed: map[string]Setting{}, values: map[Setting]string{}}
	}
	return s.agent
}

// begin completes what an agent is to be started with, and notes it.
func (s *settings) begin(spec *adapters.Spec) {
	spec.Model, spec.Mode = s.waiting[SettingModel], s.waiting[SettingMode]
	if !spec.Resume && spec.Model == "" {
		spec.Model = s.asked // a session that is resumed knows its own model
	}
	s.agent = nil
	for what, value := range map[Setting]string{SettingModel: spec.Model, SettingMode: spec.Mode} {
		if value != "" {
			s.note().values[what] = value
		}
	}
	if spec.Mode == "" {
		spec.Mode = s.mode // not every agent keeps it: a session that only plans must not go on by doing
	}
}

// want notes a choice that is not in force yet; an empty value, that there is none any more.
func (s *settings) want(w *writer, what Setting, value string) {
	if s.waiting[what] == value {
		return
	}
	m := &protocol.SessionMeta{PendingModel: &value}
	if what == SettingMode {
		m = &protocol.SessionMeta{PendingMode: &value}
	}
	w.emit(m)
	w.do(Announce{})
}

// apply takes what the log says.
func (s *settings) apply(p *protocol.SessionMeta) {
	set(&s.mode, p.Mode)
	s.applyWaiting(SettingModel, p.PendingModel)
	s.applyWaiting(SettingMode, p.PendingMode)
}

func (s *settings) applyWaiting(what Setting, value *string) {
	switch {
	case value == nil:
	case *value == "":
		if delete(s.waiting, what); len(s.waiting) == 0 {
			s.waiting = nil
		}
	default:
		put(&s.waiting, what, *value)
		if what == SettingModel {
			s.asked = *value // also of an agent session that is begun anew
		}
	}
}

// fulfil ends the waiting of a choice that is in force now.
func (s *settings) fulfil(m *protocol.SessionMeta) {
	one := func(what Setting, now *string, pending **string) {
		if now != nil && *now != "" && *now == s.waiting[what] && *pending == nil {
			*pending = new(string)
		}
	}
	one(SettingModel, m.Model, &m.PendingModel)
	one(SettingMode, m.Mode, &m.PendingMode)
}

// ready completes m, which an agent says of itself when it is ready, by the choice that it was started with: an agent that does not mention the
// choice has taken it.
func (s *settings) ready(m *protocol.SessionMeta, d adapters.Ready) {
	one := func(what Setting, now, pending **string, said string) {
		value := s.waiting[what]
		if value == "" || s.have().values[what] != value {
			return
		}
		switch said {
		case value:
			*pending = new(string)
		case "":
			*now, *pending = &value, new(string)
		default: // it goes by another name, or was not heeded: the agent is asked once more
			delete(s.have().values, what)
		}
	}
	one(SettingModel, &m.Model, &m.PendingModel, d.Model)
	one(SettingMode, &m.Mode, &m.PendingMode, d.Mode)
}

// refuse says what is wrong with a choice by itself.
func (s *settings) refuse(in *Choose) error {
	list, closed := s.have().offered.Modes, true
	if in.Setting == SettingModel {
		list, closed = s.have().offered.Models, s.have().offered.AllModels
	}
	if closed && len(list) > 0 && !slices.ContainsFunc(list, func(c adapters.Choice) bool { return c.ID == in.Value }) {
		return misfit(fmt.Sprintf("The agent has no such %s.", in.Setting), choiceList(list))
	}
	return nil
}

// keep has a choice wait until the agent can take it.
func (s *settings) keep(w *writer, in *Choose, applied Applied) {
	delete(s.have().values, in.Setting)
	s.want(w, in.Setting, in.Value)
	answer(w, in.Ticket, Chosen{applied})
}

// ask passes a choice on to the agent, whose word is the client's answer.
func (s *settings) ask(w *writer, agent Adapter, in *Choose) {
	id := s.tell(w, agent, in.Setting, in.Value)
	s.note().asked[id] = in
	w.do(WatchSetting{id})
}

// tell sends the command. Its id is of this actor alone: an answer to one that was lost fits none.
func (s *settings) tell(w *writer, agent Adapter, what Setting, value string) (id string) {
	t := s.note()
	t.count++
	id = fmt.Sprintf("%d.%d", w.now, t.count)
	if what == SettingMode {
		w.tell(agent, adapters.SetMode{ID: id, Mode: value})
	} else {
		w.tell(agent, adapters.SetModel{ID: id, Model: value})
	}
	return id
}

// passOn tells the agent what was chosen while it could not take it. The commands go before the next prompt.
func (s *settings) passOn(w *writer, agent Adapter, can adapters.Capabilities) {
	for _, what := range []Setting{SettingModel, SettingMode} {
		value := s.waiting[what]
		if value == "" || s.have().values[what] == value || !changes(can, what) {
			continue
		}
		id := s.tell(w, agent, what, value)
		s.note().passed[id], s.note().values[what] = what, value
	}
}

// changes says that an agent can change a setting while it runs.
func changes(can adapters.Capabilities, what Setting) bool {
	if what == SettingMode {
		return can.Modes
	}
	return can.Models
}

// answered takes the agent's word. Of a choice that waited no client is told: the log says, in the turn that runs, where it is refused.
func (s *settings) answered(w *writer, turnID string, d adapters.SettingAnswered) {
	t := s.have()
	if what, ours := t.passed[d.ID]; ours {
		delete(t.passed, d.ID)
		s.passedAnswered(w, turnID, what, d.Result, d.Error)
		return
	}
	in := t.asked[d.ID]
	if in == nil {
		return // it came too late
	}
	delete(t.asked, d.ID)
	switch d.Result {
	case adapters.SettingNow:
		s.want(w, in.Setting, "")
		answer(w, in.Ticket, Chosen{AppliedNow})
	case adapters.SettingNextTurn:
		t.values[in.Setting] = in.Value
		s.want(w, in.Setting, in.Value)
		answer(w, in.Ticket, Chosen{AppliedNextTurn})
	case adapters.SettingRefused:
		err := s.refusedBy(in.Setting, d.Error)
		refuse(w, in.Ticket, err)
	}
}

func (s *settings) passedAnswered(w *writer, turnID string, what Setting, result adapters.SettingResult, why string) {
	switch result {
	case adapters.SettingNow:
		s.want(w, what, "")
	case adapters.SettingNextTurn:
	case adapters.SettingRefused:
		w.notice(turnID, &protocol.SystemData{
			Level: "warning", Kind: string(what) + "_refused",
			Text: fmt.Sprintf("The agent refuses the %s %s that was chosen: %s", what, s.waiting[what], why),
		})
		s.want(w, what, "")
	}
}

func (s *settings) refusedBy(what Setting, why string) error {
	list := s.have().offered.Models
	if what == SettingMode {
		list = s.have().offered.Modes
	}
	hint := ""
	if len(list) > 0 {
		hint = choiceList(list)
	}
	return misfit(fmt.Sprintf("The agent refuses the %s: %s", what, why), hint)
}

// overdue lets a client go that the agent has not answered.
func (s *settings) overdue(w *writer, in *SettingOverdue) {
	if c := s.have().asked[in.ID]; c != nil {
		delete(s.have().asked, in.ID)
		refuse(w, c.Ticket, errNoAnswer())
	}
}

// agentGone answers the clients that wait for an agent which is gone.
func (s *settings) agentGone(w *writer) {
	for _, c := range s.have().asked {
		refuse(w, c.Ticket, errNoAnswer())
	}
	s.agent = nil
}

// offered keeps what the agent offers.
func (s *settings) offered(d adapters.Offered) {
	if d.Models != nil {
		s.note().offered.Models, s.note().offered.AllModels = d.Models, d.AllModels
	}
	if d.Modes != nil {
		s.note().offered.Modes = d.Modes
	}
}

// offers is what there is to choose, for a session with a model in force.
func (s *settings) offers(model string) Offers {
	o := s.have().offered
	return Offers{
		KnownModels: o.Models != nil, KnownModes: o.Modes != nil, Models: o.Models, Modes: o.Modes, AllModels: o.AllModels,
		Model: model, Mode: s.mode, PendingModel: s.waiting[SettingModel], PendingMode: s.waiting[SettingMode],
	}
}

func errNoAnswer() error {
	return &protocol.Problem{
		Code: protocol.CodeUnavailable, Detail: "The agent has not answered; it may have taken the choice.",
		Hint: "A session_meta in the log says when it takes effect.",
	}
}

// listedChoices bounds a hint.
const listedChoices = 30

func choiceList(list []adapters.Choice) string {
	ids := make([]string, 0, listedChoices)
	for _, c := range list[:min(len(list), listedChoices)] {
		ids = append(ids, c.ID)
	}
	text := "It offers: " + strings.Join(ids, ", ")
	if more := len(list) - len(ids); more > 0 {
		return fmt.Sprintf("%s and %d more.", text, more)
	}
	return text + "."
}
