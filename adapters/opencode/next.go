package opencode

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// next is what the newer surface, /api/…, has of its own. Nothing here makes such sessions: other clients of the server may.
// It says neither busy nor idle: a turn goes from the first prompt to the first step that ends without tool calls, while no
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

// event handles the events of the newer surface, and says whether it knows the type.
func (n *next) event(e event, w *work, out *adapters.Output) bool {
	kind, ok := strings.CutPrefix(e.kind, "session.next.")
	if !ok {
		return false
	}
	var v nextWire
	_ = native.Decode(e.properties, &v)
	switch kind {
	case "prompt.admitted":
		n.admit(&v, w, out)
	case "prompted":
		n.prompted(&v, w, out)
	case "step.started":
		n.stepStarted(&v, w, out)
	case "step.ended", "step.failed":
		n.stepEnded(kind, &v, w, out)
	case "text.started", "text.delta", "text.ended":
		textNext(strings.TrimPrefix(kind, "text."), v.TextID, protocol.EntryAssistantMessage, &v, w, out)
	case "reasoning.started", "reasoning.delta", "reasoning.ended":
		textNext(strings.TrimPrefix(kind, "reasoning."), v.ReasoningID, protocol.EntryThinking, &v, w, out)
	case "tool.input.started", "tool.input.delta", "tool.input.ended", "tool.called", "tool.progress", "tool.success", "tool.failed":
		toolNext(kind, &v, w, out)
	case "compaction.started":
		w.turn.report(protocol.StateCompacting, out)
	case "compaction.ended":
		compactedNext(&v, w, out)
	case "compaction.delta", "agent.switched", "model.switched", "moved", "context.updated", "synthetic", "revert.staged",
		"revert.cleared", "revert.committed", "retried":
		// The other events say what matters of these.
	default:
		return false
	}
	return true
}

// admit takes a prompt that was accepted. One to a session at work waits in the agent's queue.
func (n *next) admit(v *nextWire, w *work, out *adapters.Output) {
	if !w.turn.on || w.entries.seen.has(v.MessageID) || len(n.steering)+len(n.queue) >= maxBefore {
		return
	}
	a := admitted{v.MessageID, v.Prompt.Text}
	if v.Delivery == "queue" {
		n.queue = append(n.queue, a)
	} else {
		n.steering = append(n.steering, a)
	}
	n.tell(out)
}

func (n *next) tell(out *adapters.Output) {
	var q adapters.NativeQueue
	for _, a := range n.steering {
		q.Steering = append(q.Steering, a.text)
	}
	for _, a := range n.queue {
		q.FollowUp = append(q.FollowUp, a.text)
	}
	out.Draft(q)
}

// prompted takes a prompt that is given to the model now.
func (n *next) prompted(v *nextWire, w *work, out *adapters.Output) {
	if v.MessageID == "" || w.entries.seen.has(v.MessageID) {
		return
	}
	w.entries.seen.add(v.MessageID)
	mine := func(a admitted) bool { return a.id == v.MessageID }
	before := len(n.steering) + len(n.queue)
	n.steering = slices.DeleteFunc(n.steering, mine)
	n.queue = slices.DeleteFunc(n.queue, mine)
	if len(n.steering)+len(n.queue) < before {
		n.tell(out)
	}
	w.user(waiting{id: v.MessageID, text: v.Prompt.Text}, out)
	w.begin(out)
}

// stepStarted begins one model request.
func (n *next) stepStarted(v *nextWire, w *work, out *adapters.Output) {
	if v.Assistant == "" || w.entries.seen.has(v.Assistant) || w.entries.messages[v.Assistant] != nil {
		return
	}
	w.begin(out)
	model := modelName(v.Model.ProviderID, v.Model.ID)
	w.entries.messages[v.Assistant] = &message{known: true, model: model}
	w.entries.round++
	w.turn.open[v.Assistant] = true
	w.told.tell(native.Told{Model: model, Mode: v.Agent}, out)
}

// stepEnded ends one model request, and the turn where no other follows.
func (n *next) stepEnded(kind string, v *nextWire, w *work, out *adapters.Output) {
	m := w.entries.messages[v.Assistant]
	if m == nil || m.done {
		return
	}
	m.done = true
	delete(w.turn.open, v.Assistant)
	w.turn.finish = v.Finish
	if kind == "step.failed" {
		if text := native.Head(v.Error.Message, maxNoticed); strings.Contains(text, "interrupted") {
			w.turn.aborted = true
		} else {
			w.turn.problem = cmp.Or(text, "the model request failed")
		}
	}
	w.usage.used(v.Tokens, v.Cost, m.model, out)
	if v.Finish != "tool-calls" && len(n.steering) == 0 {
		w.end(out)
	}
}

// part is the id of a part of the newer surface, where the step that it belongs to is known; else empty.
func (v *nextWire) part(id string, w *work) string {
	if id == "" || w.entries.messages[v.Assistant] == nil {
		return ""
	}
	return v.Assistant + "/" + id
}

// textNext takes the state of a text or a thought.
func textNext(what, id string, kind protocol.EntryType, v *nextWire, w *work, out *adapters.Output) {
	if id = v.part(id, w); id == "" {
		return
	}
	x := w.entries.parts[id]
	if x == nil {
		x = &part{id: id, message: v.Assistant, kind: kind, gap: what == "delta"}
		x.budget.Limit = w.entries.limit
		w.entries.parts[x.id] = x
	}
	switch {
	case x.closed || x.tool != nil:
	case what == "ended":
		w.entries.closeText(x, v.Text, out)
	case what == "delta" && !x.gap && v.Delta != "":
		w.entries.append(x, v.Delta, out)
	}
}

// toolNext takes the state of a call.
func toolNext(kind string, v *nextWire, w *work, out *adapters.Output) {
	id := v.part(v.CallID, w)
	if id == "" {
		return
	}
	x := w.entries.parts[id]
	if x == nil {
		w.begin(out)
		p := partWire{ID: id, MessageID: v.Assistant, CallID: v.CallID, Tool: cmp.Or(v.Name, v.Tool)}
		p.State.Status = "pending"
		x = w.openTool(&p, out)
	}
	if x.closed || x.tool == nil {
		return
	}
	switch c := x.tool; kind {
	case "tool.input.delta":
		if !c.running {
			c.arguments += c.streamed.Grow(x.key, v.Delta, native.AsArguments, out)
		}
	case "tool.called":
		c.arguments = ""
		c.read(&stateWire{Status: "running", Input: v.Input})
		w.runs(x, out)
	case "tool.progress":
		c.prints(v.output(), x.key, out)
	case "tool.success", "tool.failed":
		p := partWire{State: stateWire{Status: "completed", Output: v.output()}}
		if kind == "tool.failed" {
			p.State.Status, p.State.Error = "error", v.Error.Message
		}
		if v.Structured.Exit != nil {
			p.State.Metadata.Exit = []byte(strconv.Itoa(*v.Structured.Exit))
		}
		w.closeTool(x, &p, out)
		if w.turn.denied && kind == "tool.failed" && len(w.entries.openParts(v.Assistant)) == 0 {
			w.turn.finish = "tool-calls"
			w.end(out) // nothing more is said of a turn that a refusal has stopped
		}
	}
}

// output joins the texts of a result.
func (v *nextWire) output() string {
	var b strings.Builder
	for _, c := range v.Content {
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(c.Text)
	}
	return b.String()
}

// compactedNext says the summary of a compaction.
func compactedNext(v *nextWire, w *work, out *adapters.Output) {
	data := &protocol.CompactionData{}
	data.Summary, data.Cut = native.Cut(v.Text, w.entries.limit)
	w.entries.whole(protocol.EntryCompaction, data, "", out)
	if w.turn.on {
		w.turn.report(protocol.StateResponding, out)
	} else {
		w.turn.report(protocol.StateIdle, out)
	}
}
