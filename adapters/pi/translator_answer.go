package pi

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// response routes the answer to a command.
func (t *Translator) response(line []byte, out *adapters.Output) {
	var r response
	_ = native.Decode(line, &r)
	own := strings.HasPrefix(r.ID, ownPrefix)
	if t.turn.answers(r.ID, own) {
		t.end(out)
	}
	if !t.history.recalls && !own && r.Command != "get_state" || r.Command == "get_state" && !r.Success {
		t.told.tellReady(out)
	}
	if t.answered(&r, out) {
		return
	}
	if !r.Success && !own && !(r.ID == "" && unknownCommand(r.Error) && r.Command != "") {
		text := r.Error
		if r.Command != "" {
			text = r.Command + ": " + text
		}
		out.Draft(adapters.Notice{Level: "warning", Kind: "command_failed", Text: native.Head(text, maxNoticed)})
	}
}

// answered takes an answer by its command, and says whether nothing more is to be said of it, even where it is a failure.
func (t *Translator) answered(r *response, out *adapters.Output) (said bool) {
	switch r.Command {
	case "prompt":
		disposed := t.prompts.answered(r, t.turn.on, out)
		t.turn.modern = t.turn.modern || disposed
		return true
	case "get_state":
		if r.Success {
			t.told.state(r.Data, out)
		}
	case "get_entries":
		if r.Success {
			t.history.entries(r.Data, &t.binder, &t.content, out)
		}
		if t.binder.answers(r) {
			t.binder.answered(r)
			if t.binder.again {
				t.binder.fetch(&t.calls, out)
			} else if t.history.recalls {
				t.history.recalled(&t.binder, &t.calls, out)
			}
			return true
		}
	case "get_messages":
		if t.history.recalls {
			t.history.messages(r.Data, &t.content, out)
			t.history.recalled(&t.binder, &t.calls, out)
		}
	case "clear_queue":
		t.prompts.clearing = false
	case "abort":
		t.turn.aborting = false
	case "set_model":
		t.told.model(r.Data, out)
		t.settings.answered(r, out)
	case "cycle_model":
		t.told.model(r.Data, out)
	case "get_available_models":
		if r.Success {
			offer(r.Data, out)
		}
	case "bash":
		t.ran(r, out)
		return true
	case "new_session", "switch_session", "fork", "clone":
		if t.told.left(r, out) {
			t.binder.cursor = ""
			t.calls.ask(out, command{Type: "get_state"})
		}
	case "compact":
		return true // compaction_end has said it
	}
	return false
}
