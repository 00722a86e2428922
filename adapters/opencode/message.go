package opencode

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// message is a message of the agent's session. Its parts are shown when its role is known, not before.
type message struct {
	user    bool
	known   bool // its role is known
	summary bool // it is the summary of a compaction
	done    bool // it has ended
	past    bool // it was there, whole, when it was first seen outside of a run: a copy, not work
	shown   bool // a part of it was heard of
	model   string
	lines   [][]byte // events about its parts that came before its role
}

// maxEarly bounds the messages without a role and the bytes of their lines.
const (
	maxEarlyMessages = 64
	maxEarlyBytes    = 1 << 20
)

func (t *Translator) messageUpdated(properties []byte, out *adapters.Output) {
	var p struct {
		Info messageInfo `json:"info"`
	}
	_ = native.Decode(properties, &p)
	t.message(&p.Info, out)
}

// message takes the state of a message, from an event or a snapshot.
func (t *Translator) message(info *messageInfo, out *adapters.Output) {
	if info.ID == "" || t.seen.has(info.ID) {
		return
	}
	m := t.messages[info.ID]
	if m == nil {
		m = &message{}
		t.messages[info.ID] = m
	}
	switch info.Role {
	case "user":
		m.user = true
	case "assistant":
		t.assistant(info, m, out)
	default:
		return
	}
	if !m.known {
		m.known = true
		lines := m.lines
		m.lines = nil
		for _, line := range lines {
			if !t.delta(line, out) {
				e, _ := readEvent(line)
				t.handle(e, line, out)
			}
		}
	}
	if !m.user && !t.sync.folds {
		t.progress(info, m, out)
	}
}

// assistant takes the beginning of a message of the agent.
func (t *Translator) assistant(info *messageInfo, m *message, out *adapters.Output) {
	m.model = info.model()
	if m.known {
		return
	}
	m.summary = info.summary()
	switch {
	case info.Time.Completed > 0 && !t.run.on && !t.sync.folds:
		m.past = true
		t.flush(out)
		return
	case t.run.idle && info.Time.Completed == 0:
		t.busy(out)
	default:
		t.begin(out)
	}
	t.run.round++
	t.run.open[info.ID] = true
	if !m.summary {
		t.settings.applied(m.model, info.Agent)
		t.tell(m.model, info.Agent, "", out)
	}
}

// progress takes how far a message of the agent has come.
func (t *Translator) progress(info *messageInfo, m *message, out *adapters.Output) {
	if m.done || m.past {
		return
	}
	if e := info.Error; e != nil {
		if e.aborted() {
			t.run.aborted = true
		} else {
			t.run.problem = e.text()
		}
	}
	if info.Time.Completed > 0 {
		t.completed(info, m, out)
	}
}

// completed takes the end of a message.
func (t *Translator) completed(info *messageInfo, m *message, out *adapters.Output) {
	m.done = true
	delete(t.run.open, info.ID)
	if !m.summary {
		t.run.finish = info.Finish
		if info.Finish != "" && info.Error == nil {
			t.run.problem = "" // a later request overcame it
		}
	}
	if !t.sync.busy() {
		reason := "not ended"
		if t.run.aborted {
			reason = "interrupted"
		}
		t.closeTexts(info.ID, reason, out)
	}
	if t.run.idle && len(t.run.open) == 0 {
		t.end(out)
	}
}

// early keeps an event about a part whose message is not known, until it is.
func (t *Translator) early(id string, line []byte) {
	m := t.messages[id]
	if m == nil {
		n := 0
		for _, other := range t.messages {
			if !other.known {
				n++
			}
		}
		if n >= maxEarlyMessages {
			return
		}
		m = &message{}
		t.messages[id] = m
	}
	size := len(line)
	for _, l := range m.lines {
		size += len(l)
	}
	if size <= maxEarlyBytes/maxEarlyMessages*4 {
		m.lines = append(m.lines, append([]byte(nil), line...))
	}
}

// removed closes what the agent took out of its session.
func (t *Translator) removed(properties []byte, out *adapters.Output) {
	var p struct {
		MessageID string `json:"messageID"`
		PartID    string `json:"partID"`
	}
	_ = native.Decode(properties, &p)
	if p.PartID != "" {
		if x := t.parts[p.PartID]; x != nil {
			t.leave(x, "removed", out)
		}
		return
	}
	t.closeParts(p.MessageID, "removed", out)
	delete(t.run.open, p.MessageID)
	if t.run.idle && len(t.run.open) == 0 {
		t.end(out)
	}
}

// waiting is a message of the user that came before its run, or that no run follows.
type waiting struct {
	id      string // of the part
	text    string
	images  []string // references of the daemon's
	command string   // id of the Prompt command that it came of
	steer   bool
	beats   int
}

func (w *waiting) shown(limit int) string {
	s, _ := native.Cut(w.text, limit)
	return s
}

// userPart takes a text of the user.
func (t *Translator) userPart(p *partWire, out *adapters.Output) {
	t.seen.add(p.ID)
	if p.Synthetic || p.Text == "" {
		return
	}
	w := waiting{id: p.ID, text: p.Text}
	if !t.compact.repeats(p.Text, t.run.texts) { // else it answers no prompt of ours: it is one, once more
		t.prompts.match(&w)
	}
	t.userMessage(w, out)
}

// userMessage says a message of the user in its run, or keeps it until the run begins.
func (t *Translator) userMessage(w waiting, out *adapters.Output) {
	if t.run.on && !t.run.idle {
		t.prompts.taken(&w, adapters.PromptHandled, out) // before its message, which is the prompt's that has left the queue
		t.sayOne(&w, out)
		return
	}
	t.before = append(t.before, w)
	if len(t.before) > maxBefore || t.prompts.silent(&w) {
		t.flush(out)
	}
}

// maxBefore is how many messages of the user may wait for a run.
const maxBefore = 64

// say writes the user's messages that waited for the run that has just begun.
func (t *Translator) say(out *adapters.Output) {
	for i := range t.before {
		t.sayOne(&t.before[i], out)
		t.prompts.taken(&t.before[i], adapters.PromptStarted, out)
	}
	t.before = nil
}

// flush writes the user's messages that no run follows.
func (t *Translator) flush(out *adapters.Output) {
	for i := range t.before {
		t.sayOne(&t.before[i], out)
		t.prompts.taken(&t.before[i], adapters.PromptHandled, out)
	}
	t.before = nil
}

func (t *Translator) sayOne(w *waiting, out *adapters.Output) {
	if t.run.on {
		t.run.texts = append(t.run.texts, w.text)
	}
	data := &protocol.MessageData{Role: "user", Images: w.images}
	data.Text, data.Cut = native.Cut(w.text, t.spec.TextLimit())
	t.whole(protocol.EntryUserMessage, data, w.id, out)
}
