package session

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// choose passes a choice on to the agent, or keeps it until the agent can take it.
func (s *State) choose(in *Choose) {
	if err := s.refuseChoice(in); err != nil {
		s.answer(in, func() { in.Fail(err) })
		return
	}
	switch {
	case s.link.phase != linkReady:
		s.keepChoice(in, AppliedAtStart)
	case in.When == WhenIdle && !s.idle():
		s.keepChoice(in, AppliedWhenIdle)
	default:
		id := s.tellSetting(in.Setting, in.Value)
		s.link.chosen().asked[id] = in
		s.do(WatchSetting{id})
	}
}

// idle says that no turn runs, nor anything between turns.
func (s *State) idle() bool { return s.turn == nil && s.link.state == "" }

func (s *State) keepChoice(in *Choose, applied Applied) {
	delete(s.link.choices().told, in.Setting)
	s.setPending(in.Setting, in.Value)
	s.answer(in, func() { in.Send(Chosen{applied}) })
}

func (s *State) refuseChoice(in *Choose) error {
	running := s.link.phase == linkReady || s.link.phase == linkStarting
	can := s.limits.Capabilities.Models
	if in.Setting == SettingMode {
		can = s.limits.Capabilities.Modes
	}
	switch {
	case s.end != nil || s.link.stop == stopEnd:
		return errEnded()
	case s.unconnected():
		return errUnconnected()
	case in.Value == "" || strings.HasPrefix(in.Value, "-") || len(in.Value) > 256 || strings.ContainsFunc(in.Value, unicode.IsControl):
		return misfit("This is no name of a "+string(in.Setting)+".", "Names have 1 to 256 bytes, no control characters, and do not begin with a hyphen.")
	case running && !can:
		return protocol.NewProblem(protocol.CodeNotSupported,
			fmt.Sprintf("The agent %s cannot change its %s while it runs.", s.agent, in.Setting), protocol.TermListAgents+" says which agents can.")
	}
	list, closed := s.link.choices().offered.Modes, true
	if in.Setting == SettingModel {
		list, closed = s.link.choices().offered.Models, s.link.choices().offered.AllModels
	}
	if closed && len(list) > 0 && !among(list, in.Value) {
		return misfit(fmt.Sprintf("The agent has no such %s.", in.Setting), choiceList(list))
	}
	return nil
}

// unconnected says that this is a sub-agent that nobody here can start.
func (s *State) unconnected() bool { return s.meta.SubAgent && s.link.phase == linkNone }

func errUnconnected() error {
	return &protocol.Problem{
		Code: protocol.CodeConflict, Detail: "The sub-agent is not connected: its work is done, or the connection was lost.",
		Hint: "Ask its parent session instead.",
	}
}

func among(list []adapters.Choice, id string) bool {
	for _, c := range list {
		if c.ID == id {
			return true
		}
	}
	return false
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

// tellSetting sends the command. Its id is of this actor alone: an answer to one that was lost fits none.
func (s *State) tellSetting(what Setting, value string) (id string) {
	t := s.link.chosen()
	t.count++
	id = fmt.Sprintf("%d.%d", s.now, t.count)
	if what == SettingMode {
		s.tell(adapters.SetMode{ID: id, Mode: value})
	} else {
		s.tell(adapters.SetModel{ID: id, Model: value})
	}
	return id
}

// tellPending passes on what was chosen while the agent could not take it. The commands go before the next prompt.
func (s *State) tellPending() {
	if len(s.pending) == 0 || !s.idle() {
		return
	}
	for _, what := range []Setting{SettingModel, SettingMode} {
		value := s.pending[what]
		can := what == SettingModel && s.limits.Capabilities.Models || what == SettingMode && s.limits.Capabilities.Modes
		if value == "" || s.link.choices().told[what] == value || !can {
			continue
		}
		id := s.tellSetting(what, value)
		s.link.chosen().pending[id], s.link.chosen().told[what] = what, value
	}
}

// settingAnswered takes the agent's word.
func (s *State) settingAnswered(d adapters.SettingAnswered) {
	t := s.link.choices()
	if what, ours := t.pending[d.ID]; ours {
		delete(t.pending, d.ID)
		s.pendingAnswered(what, d)
		return
	}
	in := t.asked[d.ID]
	if in == nil {
		return // it came too late
	}
	delete(t.asked, d.ID)
	switch d.Result {
	case adapters.SettingNow:
		s.setPending(in.Setting, "")
		s.answer(in, func() { in.Send(Chosen{AppliedNow}) })
	case adapters.SettingNextTurn:
		t.told[in.Setting] = in.Value
		s.setPending(in.Setting, in.Value)
		s.answer(in, func() { in.Send(Chosen{AppliedNextTurn}) })
	case adapters.SettingRefused:
		err := s.refusedBy(in.Setting, d.Error)
		s.answer(in, func() { in.Fail(err) })
	}
}

func (s *State) pendingAnswered(what Setting, d adapters.SettingAnswered) {
	switch d.Result {
	case adapters.SettingNow:
		s.setPending(what, "")
	case adapters.SettingNextTurn:
	case adapters.SettingRefused:
		s.notice(s.daemonEntryID(), &protocol.SystemData{
			Level: "warning", Kind: string(what) + "_refused",
			Text: fmt.Sprintf("The agent refuses the %s %s that was chosen: %s", what, s.pending[what], d.Error),
		})
		s.setPending(what, "")
	}
}

func (s *State) refusedBy(what Setting, why string) error {
	list := s.link.choices().offered.Models
	if what == SettingMode {
		list = s.link.choices().offered.Modes
	}
	hint := ""
	if len(list) > 0 {
		hint = choiceList(list)
	}
	return misfit(fmt.Sprintf("The agent refuses the %s: %s", what, why), hint)
}

func (s *State) settingOverdue(in *SettingOverdue) {
	if c := s.link.choices().asked[in.ID]; c != nil {
		delete(s.link.choices().asked, in.ID)
		s.answer(c, func() { c.Fail(errNoAnswer()) })
	}
}

func errNoAnswer() error {
	return &protocol.Problem{
		Code: protocol.CodeUnavailable, Detail: "The agent has not answered; it may have taken the choice.",
		Hint: "A session_meta in the log says when it takes effect.",
	}
}

// forgetSettings gives up what the agent that is gone was asked.
func (s *State) forgetSettings() {
	for _, c := range s.link.choices().asked {
		s.answer(c, func() { c.Fail(errNoAnswer()) })
	}
	s.link.settings = nil
}

// takeOffer keeps what the agent offers.
func (s *State) takeOffer(d adapters.Offered) {
	if d.Models != nil {
		s.link.chosen().offered.Models, s.link.chosen().offered.AllModels = d.Models, d.AllModels
	}
	if d.Modes != nil {
		s.link.chosen().offered.Modes = d.Modes
	}
	if !s.meta.SubAgent { // a sub-agent has what its parent has
		s.do(TellOffers{s.offers()})
	}
}

func (s *State) offers() Offers {
	o := s.link.choices().offered
	return Offers{
		KnownModels: o.Models != nil, KnownModes: o.Modes != nil, Models: o.Models, Modes: o.Modes, AllModels: o.AllModels,
		Model: s.meta.Model, Mode: s.mode, PendingModel: s.pending[SettingModel], PendingMode: s.pending[SettingMode],
	}
}
