package archive

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// MaxWholeText is the longest text that is made again of native lines, in bytes.
const MaxWholeText = 64 << 20

// CutEntry is an entry whose text is longer than what the log has of it, as its entry_end says.
type CutEntry struct {
	EntryID string
	Type    protocol.EntryType
	Data    protocol.EntryData
}

// WholeText makes the whole text of an entry of a session again, of the archive that open gives: the native lines of its connection go through the agent's
// translator once more, which is told to cut nothing. The text counts only if it begins with what the log has and is as long as the log says. It
// runs in the caller's goroutine, with memory for a few texts of that length. Errors are *protocol.Problem: CodeRawGone where the lines are not kept,
// CodeTooLarge over MaxWholeText; and those of open and the disk.
func WholeText(ctx context.Context, agent adapters.Agent, id string, e CutEntry, open func() (*Raw, error)) (string, error) {
	_, cut := protocol.EntryText(e.Data)
	if cut.Bytes > MaxWholeText {
		return "", &protocol.Problem{
			Code: protocol.CodeTooLarge, Detail: fmt.Sprintf("The text has %d bytes; the limit is %d.", cut.Bytes, MaxWholeText),
			Hint: protocol.TermReadRaw + " has the native lines.",
		}
	}
	incarnation, key, ok := protocol.ParseEntryID(e.EntryID)
	if !ok {
		return "", rawGone("The entry is the daemon's own: no native line has its text.")
	}
	archive, err := open()
	if err != nil {
		return "", err
	}
	r := newRereading(agent, id, e, adapters.EntryKey(key))
	for l, err := range archive.Native() {
		switch {
		case err != nil:
			return "", err
		case ctx.Err() != nil:
			return "", context.Cause(ctx)
		case l.Incarnation < incarnation:
			continue
		case l.Incarnation > incarnation || !r.take(&l):
			return r.result()
		}
	}
	return r.result()
}

func rawGone(detail string) error {
	return &protocol.Problem{Code: protocol.CodeRawGone, Detail: detail, Hint: "The log has the beginning of the text."}
}

// rereading is a translator that hears an incarnation again, and an ear for one entry.
type rereading struct {
	agent   adapters.Agent
	session string
	limit   int // bytes of the text
	key     adapters.EntryKey
	entry   CutEntry
	begins  string

	tr     adapters.Translator // nil: the incarnation's beginning was not there
	out    adapters.Output
	open   map[adapters.EntryKey]struct{} // entries of the wanted type
	found  bool                           // text is it, or one that cannot be told from it by what the log has
	text   string
	failed bool // the translator broke off
}

func newRereading(agent adapters.Agent, session string, e CutEntry, key adapters.EntryKey) *rereading {
	begins, cut := protocol.EntryText(e.Data)
	return &rereading{
		agent: agent, session: session, limit: int(cut.Bytes), key: key, entry: e, begins: begins,
		open: map[adapters.EntryKey]struct{}{},
	}
}

// take hears a line; more is false when there is nothing more to hear.
func (r *rereading) take(l *raw.Line) (more bool) {
	switch l.Dir {
	case "meta":
		var m struct {
			Event string `json:"event"`
			raw.Beginning
		}
		if json.Unmarshal(l.Data, &m) == nil && m.Event == "spawn" {
			r.begin(&m.Beginning)
		}
	case "out":
		r.hear(func() { r.tr.Line(l.Native(), &r.out) })
	case "in":
		r.hear(func() { r.tr.Sent(l.Native(), &r.out) })
	}
	for _, d := range r.out.Drafts {
		if r.draft(d) {
			return false
		}
	}
	clear(r.out.Drafts)
	r.out.Drafts, r.out.Lines = r.out.Drafts[:0], nil
	return !r.failed
}

func (r *rereading) begin(b *raw.Beginning) {
	r.tr = r.agent.Translator(adapters.Spec{
		SessionID: r.session, NativeSessionID: b.NativeSessionID, Resume: b.Resume, Version: b.Version, Cwd: b.Cwd,
		Model: b.Model, Mode: b.Mode, Child: b.Child, MaxText: max(r.limit, 1),
	})
	r.hear(func() { r.tr.Start(&r.out) })
}

// hear lets the translator hear something. One that panics hears nothing more.
func (r *rereading) hear(do func()) {
	if r.tr == nil {
		return
	}
	defer func() {
		if recover() != nil {
			r.failed = true
		}
	}()
	do()
}

// draft takes what the translator says, and says whether it was the text beyond doubt. Keys may have come out otherwise than when the
// session itself told the agent, so a key alone is no proof, and another key no refutation.
func (r *rereading) draft(d adapters.Draft) (sure bool) {
	switch d := d.(type) {
	case adapters.EntryOpened:
		if d.Type == r.entry.Type {
			r.open[d.Key] = struct{}{}
		}
	case adapters.EntryClosed:
		if _, ours := r.open[d.Key]; !ours {
			return false
		}
		delete(r.open, d.Key)
		text, cut := protocol.EntryText(d.Data)
		if cut.Truncated || len(text) != r.limit || !strings.HasPrefix(text, r.begins) || callID(d.Data) != callID(r.entry.Data) {
			return false
		}
		r.found, r.text = true, text
		return d.Key == r.key
	default:
	}
	return false
}

func callID(d protocol.EntryData) string {
	switch d := d.(type) {
	case *protocol.ToolCallData:
		return d.CallID
	case *protocol.ToolResultData:
		return d.CallID
	default:
		return ""
	}
}

func (r *rereading) result() (string, error) {
	switch {
	case r.found:
		return r.text, nil
	case r.tr == nil:
		return "", rawGone("The native lines of the entry's connection are not kept, or not from its beginning.")
	default:
		return "", rawGone("The native lines that are kept do not give the text again.")
	}
}
