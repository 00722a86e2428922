package pi

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// response is Pi's answer to a command. Answers overtake each other: only the id says whose it is, and where the command
// is unknown even that is missing.
type response struct {
	ID      string          `json:"id"`
	Command string          `json:"command"`
	Success bool            `json:"success"`
	Error   string          `json:"error"`
	Data    json.RawMessage `json:"data"`
}

func (t *Translator) response(line []byte, out *adapters.Output) {
	var r response
	_ = native.Decode(line, &r)
	own := strings.HasPrefix(r.ID, ownPrefix)
	if t.run.held && (r.ID == t.run.probe || !own) {
		t.endRun(out)
	}
	if !t.recalls && !own && r.Command != "get_state" || r.Command == "get_state" && !r.Success {
		t.ready(out)
	}
	switch r.Command {
	case "prompt":
		t.promptAnswered(&r, out)
		return
	case "get_state":
		if r.Success {
			t.state(r.Data, out)
		}
	case "get_entries":
		if r.Success {
			t.fetched(r.Data, out)
		}
		if t.binder.asked != "" && (r.ID == t.binder.asked || r.ID == "" && unknownCommand(r.Error)) {
			t.fetchAnswered(r.Success, r.Error, out)
			return
		}
	case "get_messages":
		t.messages(&r, out)
	case "clear_queue":
		t.clearing = false
	case "abort":
		t.run.aborting = false
	case "set_model":
		t.modelAnswered(&r, out)
	case "cycle_model":
		t.modelSet(r.Data, out)
	case "get_available_models":
		if r.Success {
			t.offer(r.Data, out)
		}
	case "bash":
		t.shellEnd(&r, out)
		return
	case "new_session", "switch_session", "fork", "clone":
		t.leave(&r, out)
	case "compact":
		return // compaction_end has said it
	}
	if !r.Success && !own && !(r.ID == "" && unknownCommand(r.Error) && r.Command != "") {
		text := r.Error
		if r.Command != "" {
			text = r.Command + ": " + text
		}
		out.Draft(adapters.Notice{Level: "warning", Kind: "command_failed", Text: native.Head(text, maxNoticed)})
	}
}

func unknownCommand(problem string) bool { return strings.HasPrefix(problem, "Unknown command") }

// promptAnswered says what became of a prompt. Pi 0.73 has no disposition: what it takes, it starts or queues.
func (t *Translator) promptAnswered(r *response, out *adapters.Output) {
	var d struct {
		Disposition string `json:"disposition"`
	}
	_ = native.Decode(r.Data, &d)
	if d.Disposition != "" {
		t.run.modern = true
	}
	if r.ID == t.prompts.sentID && (!r.Success || d.Disposition == "handled") {
		t.prompts.started = nil
	}
	id, ours := t.prompts.waiting[r.ID]
	if !ours {
		if !r.Success {
			out.Draft(adapters.Notice{Level: "warning", Kind: "prompt_refused", Text: native.Head(r.Error, maxNoticed)})
		}
		return
	}
	delete(t.prompts.waiting, r.ID)
	a := adapters.PromptAnswered{ID: id}
	switch {
	case !r.Success:
		a.Result, a.Error = adapters.PromptRefused, native.Head(r.Error, maxNoticed)
		if a.Error == "" {
			a.Error = "the agent refused the prompt"
		}
	case d.Disposition == "handled":
		a.Result = adapters.PromptHandled
	case d.Disposition == "queued", d.Disposition == "" && t.run.on:
		a.Result = adapters.PromptQueued
	default:
		a.Result = adapters.PromptStarted
	}
	out.Draft(a)
}

// modelSet takes the answers to set_model (a model) and cycle_model (an object with one, or null).
func (t *Translator) modelSet(data json.RawMessage, out *adapters.Output) {
	var d struct {
		model
		Model         model  `json:"model"`
		ThinkingLevel string `json:"thinkingLevel"`
	}
	_ = native.Decode(data, &d)
	name := d.model.name()
	if name == "" {
		name = d.Model.name()
	}
	t.tell(native.Told{Model: name, Mode: d.ThinkingLevel}, out)
}

// queueUpdate reports Pi's own queue. It is emptied by clear_queue, or by delivering what was in it.
func (t *Translator) queueUpdate(line []byte, out *adapters.Output) {
	var q struct {
		Steering []string `json:"steering"`
		FollowUp []string `json:"followUp"`
	}
	_ = native.Decode(line, &q)
	out.Draft(adapters.NativeQueue{
		Steering: q.Steering, FollowUp: q.FollowUp,
		Cleared: t.clearing && len(q.Steering)+len(q.FollowUp) == 0,
	})
}
