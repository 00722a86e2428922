package scripted

import "errors"

// agent is one running agent. Everything but the reading of stdin happens in one goroutine: a run that waits takes the
// commands that come meanwhile.
type agent struct {
	out     *output
	in      *input
	session *session
	player  player

	next    *prompt   // accepted while idle
	running bool      // a prompt is being answered
	aborts  []command // of the run, which has not ended yet
}

// serve runs the agent to its end.
func (a *agent) serve() Exit {
	err := a.live()
	end, ok := errors.AsType[*exitError](err)
	if !ok {
		return Exit{Code: 1}
	}
	if closed(a.in.killed) {
		return Exit{Code: killedCode}
	}
	if end.keep && a.running {
		a.player.keep()
	}
	a.out.flush()
	return end.exit
}

func (a *agent) live() error {
	// Pi reads nothing before it is ready.
	if err := a.player.play(a.player.script.Start); err != nil {
		return err
	}
	a.in.hearing = a.in.lines
	for {
		if a.next == nil {
			if err := a.in.listen(); err != nil {
				return err
			}
			continue
		}
		p := *a.next
		a.next = nil
		a.running = true
		if err := a.settle(a.player.answer(p)); err != nil {
			return err // the run stays: it is kept as far as it came
		}
	}
}

// settle ends the run in the way that err says.
func (a *agent) settle(err error) error {
	aborted := errors.Is(err, errAborted)
	switch {
	case err == nil:
		a.player.talk.end(false)
	case errors.Is(err, errFailed):
	case aborted:
		a.player.abort()
	default:
		return err
	}
	a.out.emit(agentSettled{Type: "agent_settled", Aborted: aborted})
	a.running = false
	aborts := a.aborts
	a.aborts = nil
	for _, c := range aborts {
		a.out.respond(c, nil)
	}
	return nil
}

// aborted says whether the run is to end. An open dialog keeps it: Pi's abort waits for the answer.
func (a *agent) aborted() bool { return len(a.aborts) > 0 && a.player.tools.dialogs.open == "" }
