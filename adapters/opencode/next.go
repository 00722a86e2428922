package opencode

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// next is what the newer surface, /api/…, has of its own. Nothing here makes such sessions: other clients of the server may.
// It says neither busy nor idle: a run goes from the first prompt to the first step that ends without tool calls, while no
// steering prompt waits.
type next struct {
	steering, queue []admitted // prompts that were taken and not yet given to the model
}

type admitted struct{ id, text string }

// nextWire has the members of the session.next events.
type nextWire struct {
	MessageID string `json:"messageID"`
	Prompt    struct {
		Text string `json:"text"`
	} `json:"prompt"`
	Delivery string `json:"delivery"` // steer, queue

	Assistant string `json:"assistantMessageID"`
	Agent     string `json:"agent"`
	Model     struct {
		ID         string `json:"id"`
		ProviderID string `json:"providerID"`
	} `json:"model"`
	TextID      string `json:"textID"` // unique in its message only, as ReasoningID is
	ReasoningID string `json:"reasoningID"`
	Text        string `json:"text"`
	Delta       string `json:"delta"`

	CallID     string          `json:"callID"`
	Name       string          `json:"name"`
	Tool       string          `json:"tool"`
	Input      json.RawMessage `json:"input"`
	Structured struct {
		Exit *int `json:"exit"`
	} `json:"structured"`
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`

	Finish string  `json:"finish"`
	Cost   float64 `json:"cost"`
	Tokens *tokens `json:"tokens"`
	Error  struct {
		Message string `json:"message"`
	} `json:"error"`
}

// nextEvent handles the events of the newer surface, and says whether it knows the type.
func (t *Translator) nextEvent(e event, out *adapters.Output) bool {
	kind, ok := strings.CutPrefix(e.kind, "session.next.")
	if !ok {
		return false
	}
	var w nextWire
	_ = native.Decode(e.properties, &w)
	switch kind {
	case "prompt.admitted":
		t.admit(&w, out)
	case "prompted":
		t.promptedNext(&w, out)
	case "step.started":
		t.stepStarted(&w, out)
	case "step.ended", "step.failed":
		t.stepEnded(kind, &w, out)
	case "text.started", "text.delta", "text.ended":
		t.textNext(strings.TrimPrefix(kind, "text."), w.TextID, protocol.EntryAssistantMessage, &w, out)
	case "reasoning.started", "reasoning.delta", "reasoning.ended":
		t.textNext(strings.TrimPrefix(kind, "reasoning."), w.ReasoningID, protocol.EntryThinking, &w, out)
	case "tool.input.started", "tool.input.delta", "tool.input.ended", "tool.called", "tool.progress", "tool.success", "tool.failed":
		t.toolNext(kind, &w, out)
	case "compaction.started":
		t.phase(protocol.StateCompacting, out)
	case "compaction.ended":
		t.compactedNext(&w, out)
	case "compaction.delta", "agent.switched", "model.switched", "moved", "context.updated", "synthetic", "revert.staged",
		"revert.cleared", "revert.committed", "retried":
		// The other events say what matters of these.
	default:
		return false
	}
	return true
}

// admit takes a prompt that was accepted. One to a session at work waits in the agent's queue.
func (t *Translator) admit(w *nextWire, out *adapters.Output) {
	if !t.run.on || t.seen.has(w.MessageID) || len(t.next.steering)+len(t.next.queue) >= maxBefore {
		return
	}
	a := admitted{w.MessageID, w.Prompt.Text}
	if w.Delivery == "queue" {
		t.next.queue = append(t.next.queue, a)
	} else {
		t.next.steering = append(t.next.steering, a)
	}
	t.queueNext(out)
}

func (t *Translator) queueNext(out *adapters.Output) {
	var q adapters.NativeQueue
	for _, a := range t.next.steering {
		q.Steering = append(q.Steering, a.text)
	}
	for _, a := range t.next.queue {
		q.FollowUp = append(q.FollowUp, a.text)
	}
	out.Draft(q)
}

// promptedNext takes a prompt that is given to the model now.
func (t *Translator) promptedNext(w *nextWire, out *adapters.Output) {
	if w.MessageID == "" || t.seen.has(w.MessageID) {
		return
	}
	t.seen.add(w.MessageID)
	mine := func(a admitted) bool { return a.id == w.MessageID }
	before := len(t.next.steering) + len(t.next.queue)
	t.next.steering = slices.DeleteFunc(t.next.steering, mine)
	t.next.queue = slices.DeleteFunc(t.next.queue, mine)
	if len(t.next.steering)+len(t.next.queue) < before {
		t.queueNext(out)
	}
	t.userMessage(waiting{id: w.MessageID, text: w.Prompt.Text}, out)
	t.begin(out)
}

func (t *Translator) stepStarted(w *nextWire, out *adapters.Output) {
	if w.Assistant == "" || t.seen.has(w.Assistant) || t.messages[w.Assistant] != nil {
		return
	}
	t.begin(out)
	model := modelName(w.Model.ProviderID, w.Model.ID)
	t.messages[w.Assistant] = &message{known: true, model: model}
	t.run.open[w.Assistant] = true
	t.run.round++
	t.tell(model, w.Agent, "", out)
}

// stepEnded ends one model request, and the run where no other follows.
func (t *Translator) stepEnded(kind string, w *nextWire, out *adapters.Output) {
	m := t.messages[w.Assistant]
	if m == nil || m.done {
		return
	}
	m.done = true
	delete(t.run.open, w.Assistant)
	t.run.finish = w.Finish
	if kind == "step.failed" {
		if text := native.Head(w.Error.Message, maxNoticed); strings.Contains(text, "interrupted") {
			t.run.aborted = true
		} else {
			t.run.problem = cmp.Or(text, "the model request failed")
		}
	}
	t.used(w.Tokens, w.Cost, m.model, out)
	if w.Finish != "tool-calls" && len(t.next.steering) == 0 {
		t.end(out)
	}
}

// partNext finds a part of the newer surface, where the step that it belongs to is known.
func (t *Translator) partNext(w *nextWire, id string) (x *part, ok bool) {
	if id == "" || t.messages[w.Assistant] == nil {
		return nil, false
	}
	return t.parts[w.Assistant+"/"+id], true
}

func (t *Translator) textNext(what, id string, kind protocol.EntryType, w *nextWire, out *adapters.Output) {
	x, ok := t.partNext(w, id)
	if !ok {
		return
	}
	if x == nil {
		x = &part{id: w.Assistant + "/" + id, message: w.Assistant, kind: kind, gap: what == "delta"}
		x.budget.Limit = t.spec.TextLimit()
		t.parts[x.id] = x
	}
	switch {
	case x.closed || x.tool != nil:
	case what == "ended":
		t.closeText(x, w.Text, out)
	case what == "delta" && !x.gap && w.Delta != "":
		t.append(x, w.Delta, out)
	}
}

func (t *Translator) toolNext(kind string, w *nextWire, out *adapters.Output) {
	x, ok := t.partNext(w, w.CallID)
	if !ok {
		return
	}
	if x == nil {
		p := partWire{ID: w.Assistant + "/" + w.CallID, MessageID: w.Assistant, CallID: w.CallID, Tool: cmp.Or(w.Name, w.Tool)}
		p.State.Status = "pending"
		x = t.openTool(&p, &message{}, out)
	}
	if x.closed || x.tool == nil {
		return
	}
	switch c := x.tool; kind {
	case "tool.input.delta":
		if delta := c.streamed.Take(w.Delta); !c.running && delta != "" {
			c.arguments += delta
			out.Draft(adapters.EntryChanged{Key: x.key, Delta: &protocol.ArgumentsAppend{Text: delta}})
		}
	case "tool.called":
		c.arguments = ""
		c.read(&stateWire{Status: "running", Input: w.Input}, t.spec.TextLimit())
		t.openAbout(x, out)
		c.running = true
		t.showRunning(x, out)
	case "tool.progress":
		if d := c.output.Grow(w.output()); d != nil {
			out.Draft(adapters.EntryChanged{Key: x.key, Delta: d})
		}
	case "tool.success", "tool.failed":
		p := partWire{State: stateWire{Status: "completed", Output: w.output()}}
		if kind == "tool.failed" {
			p.State.Status, p.State.Error = "error", w.Error.Message
		}
		if w.Structured.Exit != nil {
			p.State.Metadata.Exit = []byte(itoa(*w.Structured.Exit))
		}
		t.toolEnd(x, &p, out)
		if t.run.denied && kind == "tool.failed" && len(t.openParts(w.Assistant)) == 0 {
			t.run.finish = "tool-calls"
			t.end(out) // nothing more is said of a run that a refusal has stopped
		}
	}
}

// output joins the texts of a result.
func (w *nextWire) output() string {
	var b strings.Builder
	for _, c := range w.Content {
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(c.Text)
	}
	return b.String()
}

func (t *Translator) compactedNext(w *nextWire, out *adapters.Output) {
	data := &protocol.CompactionData{}
	data.Summary, data.Cut = native.Cut(w.Text, t.spec.TextLimit())
	t.whole(protocol.EntryCompaction, data, "", out)
	if t.run.on {
		t.phase(protocol.StateResponding, out)
	} else {
		t.phase(protocol.StateIdle, out)
	}
}
