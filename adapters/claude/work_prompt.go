package claude

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// lifecycle takes what became of a prompt.
func (w *work) lifecycle(line []byte, out *adapters.Output) {
	var e struct {
		UUID  string `json:"command_uuid"`
		State string `json:"state"`
	}
	_ = native.Decode(line, &e)
	w.prompts.tells = true
	p := w.prompts.known[e.UUID]
	if p == nil {
		return
	}
	switch e.State {
	case "queued":
		if w.turn.on {
			p.answer(adapters.PromptQueued, "", out)
		}
	case "started":
		if w.turn.on {
			for _, before := range w.prompts.before(p) {
				w.join(before, out)
			}
			w.join(p, out)
		} else {
			w.beginWith([]*prompt{p}, out)
		}
	case "completed": // the turn took it without a word
		if w.turn.on {
			w.join(p, out)
		}
	case "cancelled", "discarded", "refused":
		w.dropped(p, e.State, out)
	}
}

// dropped takes the news that a prompt will not be answered. One that an interrupt has taken back before its turn began makes a
// turn that was interrupted.
func (w *work) dropped(p *prompt, state string, out *adapters.Output) {
	if !w.prompts.taken(p) || p.id == "" {
		return
	}
	if state == "cancelled" && w.calls.interrupting() && !p.steer && !w.turn.on {
		out.Draft(adapters.TurnBegan{})
		w.say(p, out)
		out.Draft(adapters.TurnEnded{Status: protocol.TurnInterrupted})
		return
	}
	p.answer(adapters.PromptRefused, "the agent has "+state+" the prompt", out)
}

// replayed takes the echo of a user message.
func (w *work) replayed(uuid, text string, out *adapters.Output) {
	taken := w.prompts.replayed(uuid, text, w.turn.on)
	if len(taken) == 0 {
		return
	}
	if w.turn.on {
		for _, p := range taken {
			w.join(p, out)
		}
	} else {
		w.beginWith(taken, out)
	}
	w.prompts.echoed(uuid, text)
}
