package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"regexp"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// checkPatches asks the running daemon for the session's log once more, in two pieces: a patch appended to what it
// continues is the whole, byte for byte.
func (w *world) checkPatches(name string) []string {
	full, err := w.log(name, "")
	if err != nil {
		var gone *answerError
		if errors.As(err, &gone) && gone.status == http.StatusNotFound {
			return nil // deleted
		}
		return []string{fmt.Sprintf("log of %s: %v", name, err)}
	}
	events, err := decodeLog(full)
	if err != nil {
		return []string{fmt.Sprintf("log of %s: %v", name, err)}
	}
	epoch := uint64(1)
	for i := range events {
		if e, ok := events[i].Payload.(*protocol.Epoch); ok {
			epoch = e.Epoch
		}
	}
	var problems []string
	for _, cut := range []int{1, len(events) / 2, len(events) - 1, len(events)} {
		since := protocol.Cursor{Epoch: epoch, Seq: uint64(max(0, cut))}
		patch, err := w.log(name, since.String())
		if err != nil {
			return append(problems, fmt.Sprintf("log of %s since %s: %v", name, since, err))
		}
		if whole := append(bytes.Clone(firstLines(full, int(since.Seq))), patch...); !bytes.HasPrefix(whole, full) {
			problems = append(problems, fmt.Sprintf("log of %s: the patch since %s does not continue it", name, since))
		}
	}
	return problems
}

func firstLines(b []byte, n int) []byte {
	end := 0
	for range n {
		i := bytes.IndexByte(b[end:], '\n')
		if i < 0 {
			return b
		}
		end += i + 1
	}
	return b[:end]
}

// checkJournal reads what is on the disk after the end: a whole, closed log, and all that any reader was ever shown.
func (w *world) checkJournal(name string) []string {
	var lines [][]byte
	var events []protocol.Event
	dir := filepath.Join(w.daemon.journals(), w.id(name))
	j, _, err := journal.Open(dir, journal.Options{ReadOnly: true}, func(line []byte) error {
		line = bytes.Clone(line)
		e, err := protocol.Decode(line)
		lines, events = append(lines, line), append(events, e)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil // deleted
	}
	if err != nil {
		return []string{fmt.Sprintf("journal of %s: %v", name, err)}
	}
	defer j.Close()
	var problems []string
	for _, p := range checkLog(events) {
		problems = append(problems, fmt.Sprintf("log of %s: %s", name, p))
	}
	a := audit.New()
	for i := range events {
		if err := a.Take(&events[i]); err != nil {
			problems = append(problems, fmt.Sprintf("log of %s: event %d: %v", name, i+1, err))
			break
		}
	}
	for reader, s := range w.streams {
		if s.session != name {
			continue
		}
		for _, p := range s.wrong {
			problems = append(problems, fmt.Sprintf("stream %s: %s", reader, p))
		}
		for seq, shown := range s.seen {
			if seq > uint64(len(lines)) || !bytes.Equal(lines[seq-1], shown) {
				problems = append(problems, fmt.Sprintf("stream %s was shown event %d that the log does not have: %s", reader, seq, shown))
			}
		}
	}
	return problems
}

// checkLog says where a log of a session that was left in order breaks the promises of protocol/spec.md. Its parts are
// numbered as the invariants in actors/session.
func checkLog(events []protocol.Event) []string {
	c := logCheck{
		entries: map[string]bool{}, turns: map[string]bool{}, requests: map[string]bool{}, prompts: map[string]bool{},
	}
	for i := range events {
		c.event(i, &events[i])
	}
	for id, open := range c.entries {
		c.wantf(!open, "entry %s was never closed", id)
	}
	for id, open := range c.turns {
		c.wantf(!open, "turn %s was never closed", id)
	}
	for id, open := range c.requests {
		c.wantf(!open, "request %s was never closed", id)
	}
	return c.problems
}

// logCheck holds what was opened, and whether it is still open.
type logCheck struct {
	problems                          []string
	time                              int64
	over                              bool
	turn                              string
	entries, turns, requests, prompts map[string]bool
}

func (c *logCheck) wantf(ok bool, format string, args ...any) {
	if !ok {
		c.problems = append(c.problems, fmt.Sprintf(format, args...))
	}
}

// opens and closes hold the open things of one kind to their order: opened once, closed once.
func (c *logCheck) opens(kind string, open map[string]bool, id string, seq uint64) {
	_, before := open[id]
	c.wantf(!before, "event %d opens %s %s a second time", seq, kind, id)
	open[id] = true
}

func (c *logCheck) closes(kind string, open map[string]bool, id string, seq uint64) {
	c.wantf(open[id], "event %d closes %s %s, which is not open", seq, kind, id)
	open[id] = false
}

func (c *logCheck) event(i int, e *protocol.Event) {
	c.wantf(e.Seq == uint64(i)+1, "I1: event %d stands at place %d", e.Seq, i+1)
	c.wantf(e.Time >= c.time, "I2: time goes back at event %d", e.Seq)
	c.wantf((e.Payload.Type() == protocol.TypeSessionStart) == (i == 0), "I1: event %d is %s", e.Seq, e.Payload.Type())
	if st, ok := e.Payload.(*protocol.Status); ok && !st.State.Ended() { // a sub-agent may be taken up again
		c.over = false
	}
	c.wantf(!c.over, "I6: event %d follows session_end", e.Seq)
	c.time = e.Time
	switch p := e.Payload.(type) {
	case *protocol.SessionEnd:
		c.over = true
	case *protocol.TurnStart:
		c.wantf(c.turn == "", "event %d opens turn %s inside turn %s", e.Seq, p.TurnID, c.turn)
		c.turn = p.TurnID
		c.opens("turn", c.turns, p.TurnID, e.Seq)
	case *protocol.TurnEnd:
		c.turn = ""
		c.closes("turn", c.turns, p.TurnID, e.Seq)
	case *protocol.EntryStart:
		c.wantf(p.TurnID == c.turn, "I5: entry %s names turn %q in turn %q", p.EntryID, p.TurnID, c.turn)
		c.opens("entry", c.entries, p.EntryID, e.Seq)
	case *protocol.EntryDelta:
		c.wantf(c.entries[p.EntryID], "I4: event %d changes entry %s, which is not open", e.Seq, p.EntryID)
	case *protocol.EntryEnd:
		c.closes("entry", c.entries, p.EntryID, e.Seq)
		c.wantf(p.EntryType != "" && p.Data != nil, "event %d: entry_end is not self-sufficient", e.Seq)
	case *protocol.EntryMeta:
		_, known := c.entries[p.EntryID]
		c.wantf(known, "event %d binds entry %s, which there never was", e.Seq, p.EntryID)
	case *protocol.RequestOpened:
		c.opens("request", c.requests, p.RequestID, e.Seq)
	case *protocol.RequestResolved:
		c.closes("request", c.requests, p.RequestID, e.Seq)
	case *protocol.PromptQueued:
		c.opens("prompt", c.prompts, p.PromptID, e.Seq)
	case *protocol.PromptMoved:
		c.wantf(c.prompts[p.PromptID] && (p.Before == "" || c.prompts[p.Before]), "event %d moves prompt %s before %q", e.Seq, p.PromptID, p.Before)
	case *protocol.PromptRemoved:
		c.closes("prompt", c.prompts, p.PromptID, e.Seq)
	case *protocol.Status:
		c.wantf(p.AgentStatus == p.State.AgentStatus(), "event %d: agentStatus %s in state %s", e.Seq, p.AgentStatus, p.State)
	case *protocol.SessionStart, *protocol.SessionMeta, *protocol.ChildSession, *protocol.Epoch, *protocol.TokenUsage:
	case *protocol.Unknown:
		c.wantf(false, "event %d has the unknown type %s", e.Seq, p.Name)
	}
}

// changing are the parts of texts whose values differ from run to run where time and ids are real.
var changing = regexp.MustCompile(`"(ts|seq|durationMs|deadline|retryAt|startTs|endTs|startSeq|endSeq|newest|createdAt|updatedAt|openedAt|queuedAt|persistentId|agentVersion|cursor|last_index|index)":("[^"]*"|\d+)|X-Session-Version: \d+|since=\d+`)

// bound are whole lines that come when the agent has said its own ids: soon, and between any others.
var bound = regexp.MustCompile(`(?m)^\{[^\n]*"type":"entry_meta"[^\n]*\}\n?`)

// growing is a line of an item of a message that grows, with its type, session and entry.
var growing = regexp.MustCompile(`^\{"index":\d+,"type":"(delta|message)",(?:.*"session_id":"([^"]*)",)?.*"entry_id":"([^"]*)","entry_seq":`)

// timeless makes texts of two runs comparable.
func timeless(b []byte) []byte {
	return changing.ReplaceAll(grown(bound.ReplaceAll(b, nil)), []byte(`"$1":0`))
}

// grown leaves of each message what it has become: how often it is told meanwhile depends on how fast the machine is.
func grown(b []byte) []byte {
	lines := bytes.SplitAfter(b, []byte("\n"))
	seen := map[string]bool{}
	for i := len(lines) - 1; i >= 0; i-- {
		m := growing.FindSubmatch(lines[i])
		if m == nil {
			continue
		}
		entry := string(m[2]) + " " + string(m[3])
		if told := string(m[1]) == "message"; !told || seen[entry] {
			lines[i] = nil
		} else {
			seen[entry] = true
		}
	}
	return bytes.Join(lines, nil)
}

// countLines counts the lines that two runs have in common.
func countLines(b []byte) int {
	b = bytes.TrimSpace(timeless(b))
	if len(b) == 0 {
		return 0
	}
	return 1 + bytes.Count(b, []byte("\n"))
}
