package scripted

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// run is what happens between a prompt and agent_settled.
type run struct {
	prompt   string
	messages []json.RawMessage // since agent_start, for agent_end
	round    bool              // turn_start was said, its turn_end not yet
	results  []json.RawMessage // tool results of the round
	open     *draft            // the assistant message that is being written
	last     string            // stop reason of the last one
	tool     *toolCallBlock    // runs
	toolSaid string            // its output so far

	retrying   bool
	attempt    int // that failed and is being repeated; 0: none
	compacting bool

	dialog  string // id of the open one
	replied bool
	reply   reply

	aborts []command
}

// reply is the user's answer to a dialog.
type reply struct {
	no    bool
	value string
}

// maxKept bounds what agent_end repeats: a flood would make it grow without end.
const maxKept = 256

// answer runs a prompt until the agent has settled.
func (a *agent) answer(p prompt) error {
	a.run = &run{prompt: p.text}
	a.emit(bare{"agent_start"})
	a.startRound()
	if a.session.messages == 0 {
		a.introduce()
	}
	a.user(p)
	if len(a.steering) > 0 { // what an aborted run has left
		a.dequeue()
	}
	err := a.respondTo(p.text)
	for err == nil && len(a.steering) > 0 {
		err = a.deliver()
	}
	return a.settle(err)
}

// respondTo plays the answer to a prompt: the script that it carries, else the turn that matches, else the echo.
func (a *agent) respondTo(text string) error {
	steps, found, err := inPrompt(text)
	switch {
	case err != nil:
		steps = []Step{Fail{Error: err.Error()}}
	case !found:
		steps = echo(text)
		if t := a.script.turnFor(text, false); t != nil {
			steps = t.Steps
		}
	}
	if err := a.play(steps); err != nil {
		return err
	}
	a.endMessage("stop")
	if a.run.last != "stop" {
		a.beginMessage() // a model answers a tool's result, if only with nothing
		a.endMessage("stop")
	}
	return nil
}

// play takes the steps one after the other. Between two it takes what was steered in.
func (a *agent) play(steps []Step) error {
	for _, s := range steps {
		if err := a.do(s); err != nil {
			return err
		}
		if err := a.poll(); err != nil {
			return err
		}
		for a.run != nil && len(a.steering) > 0 {
			if err := a.deliver(); err != nil {
				return err
			}
		}
	}
	return nil
}

// deliver takes the next message that was steered in into the run and answers it.
func (a *agent) deliver() error {
	a.endMessage("stop")
	a.startRound()
	text := a.dequeue()
	steps := []Step{Say{Text: "I heard: " + text, Pace: Pace{Over: Duration(200 * time.Millisecond)}}}
	if t := a.script.turnFor(text, true); t != nil {
		steps = t.Steps
	}
	if err := a.play(steps); err != nil {
		return err
	}
	a.endMessage("stop")
	return nil
}

func (a *agent) dequeue() string {
	p := a.steering[0]
	a.steering = a.steering[1:]
	a.emitQueue()
	a.user(p)
	return p.text
}

// user says a user's message.
func (a *agent) user(p prompt) {
	m := userMessage{Role: "user", Content: []content{textBlock{"text", p.text}}, Timestamp: p.at}
	for _, i := range p.images {
		i.Type = "image"
		m.Content = append(m.Content, i)
	}
	raw := encode(m)
	a.emit(messageEvent{"message_start", raw})
	a.record(raw)
	a.emit(messageEvent{"message_end", raw})
}

// introduce says the system message, once per session.
func (a *agent) introduce() {
	raw := encode(systemMessage{
		Role: "system", Timestamp: now(),
		Sections: map[string]string{
			"preamble": "You are a scripted agent: what you say and do is written down.",
			"cwd":      "<cwd>\n" + a.cwd + "\n</cwd>",
		},
		ToolsAdded: []toolDeclared{{
			Description: "Pretend to repeat a text.", Name: "echo",
			Parameters: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`),
		}},
	})
	a.emit(messageEvent{"message_start", raw})
	a.record(raw)
	a.emit(messageEvent{"message_end", raw})
}

// record keeps a message in the session; it is there when message_end is said.
func (a *agent) record(raw json.RawMessage) string {
	if a.run != nil && len(a.run.messages) < maxKept {
		a.run.messages = append(a.run.messages, raw)
	}
	id, _ := a.session.add(entry{Type: "message", Message: raw}, a.entryID)
	return id
}

func (a *agent) startRound() {
	if !a.run.round {
		a.emit(bare{"turn_start"})
		a.run.round = true
	}
}

func (a *agent) endRound(message json.RawMessage) {
	a.emit(turnEnd{Type: "turn_end", Message: message, ToolResults: list(a.run.results)})
	a.run.round = false
	a.run.results = nil
}

// settle ends the run in the way that err says.
func (a *agent) settle(err error) error {
	r := a.run
	aborted := errors.Is(err, errAborted)
	switch {
	case err == nil:
		a.endAgent(false)
	case errors.Is(err, errFailed):
	case aborted && r.retrying:
		a.emit(retryEnd{Type: "auto_retry_end", Attempt: r.attempt, FinalError: "Retry cancelled"})
	case aborted:
		a.endAborted()
		a.endAgent(false)
	default:
		return err // the run stays: it is kept as far as it came
	}
	a.emit(agentSettled{Type: "agent_settled", Aborted: aborted})
	a.run = nil
	for _, c := range r.aborts {
		a.respond(c, nil)
	}
	return nil
}

func (a *agent) endAgent(willRetry bool) {
	a.emit(agentEnd{Type: "agent_end", Messages: list(a.run.messages), WillRetry: willRetry})
	a.run.messages = nil
}

// endAborted closes what the abort has left open. Behind a tool, Pi asks the model once more and aborts that at once.
func (a *agent) endAborted() {
	if a.run.open != nil {
		a.failMessage("aborted", "Request was aborted")
		return
	}
	a.failMessage("aborted", "This operation was aborted")
}

// keepPartial puts into the session what Pi puts there when it is asked to end in the middle of a run, and says nothing.
func (a *agent) keepPartial() {
	r := a.run
	if r == nil || r.retrying {
		return
	}
	if r.tool != nil {
		a.record(encode(a.toolResult(*r.tool, r.toolSaid+"\n\nCommand aborted", true)))
	}
	m := assistantMessage{StopReason: "aborted", ErrorMessage: "Request was aborted"}
	if r.open != nil {
		m.Content = r.open.content()
		m.Timestamp = r.open.at
	}
	a.record(encode(a.assistant(m)))
}

// echo is the answer without a script: thinking, text, one harmless tool call, two seconds in all. The prompt is filled in as
// into any script, so that what looks like a placeholder in it stays as it is.
func echo(prompt string) []Step {
	over := func(ms int) Pace {
		return Pace{Chunk: max(10, len(prompt)/50), Over: Duration(time.Duration(ms) * time.Millisecond)}
	}
	return []Step{
		Think{Text: "A message. I repeat it, and then once more with a tool.", Pace: over(400)},
		Say{Text: "You said: {{prompt}}", Pace: over(700)},
		Tool{
			Name: "echo", Args: json.RawMessage(`{"text":"{{prompt}}"}`),
			Output: []string{"{{prompt}}", "\n"}, Every: Duration(200 * time.Millisecond),
		},
		Say{Text: fmt.Sprintf("Done: %d characters repeated.", len([]rune(prompt))), Pace: over(300)},
	}
}
