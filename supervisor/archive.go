package supervisor

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/archive"
)

// Raw is a session's raw archive as it is when it is asked for.
type Raw = archive.Raw

// RawLine is one record with the run of events that its batch became.
type RawLine = archive.Line

// Raw opens a session's raw archive for reading, without starting its actor: it has the lines of all events that were shown before. Errors are
// *protocol.Problem and those of the disk.
func (s *Supervisor) Raw(ctx context.Context, id string) (*Raw, error) {
	sum, err := s.Look(ctx, id) // before the flush, so that the flushed lines cover every event that the summary knows of
	if err != nil {
		return nil, err
	}
	if err := flushed(ctx, s.ref, id); err != nil {
		return nil, err
	}
	r, err := archive.Open(s.data.Session(id), s.files, s.store.Spans(id))
	if err == nil && s.archives {
		r.Expect(sum.Seq)
	}
	return r, err
}

// WrittenIn gives what returns when what was said before is in a session's archive, or lost. isLive says that a connection of the session runs.
func WrittenIn(s *Supervisor) func(ctx context.Context, id string) (isLive bool, err error) {
	return func(ctx context.Context, id string) (isLive bool, err error) {
		a, err := ask.Ask(ctx, s.ref, func(r ask.Reply[*raw.Archive]) Message { return &FindArchive{r, id} })
		if err != nil || a == nil {
			return false, err
		}
		isLive = a.Connected() // asked before: the last lines of one that has ended are written then
		return isLive, a.Flush(ctx)
	}
}

// flushed returns when the native lines of all events that a session's log shows are written, or lost.
func flushed(ctx context.Context, of Ref, id string) error {
	a, err := ask.Ask(ctx, of, func(r ask.Reply[*raw.Archive]) Message { return &FindArchive{r, id} })
	if err != nil || a == nil {
		return err
	}
	return a.Flush(ctx)
}

// CutEntry is an entry whose text is longer than what the log has of it, as its entry_end says.
type CutEntry = archive.CutEntry

// MaxWholeText is the longest text that is made again of native lines, in bytes.
const MaxWholeText = archive.MaxWholeText

// WholeText makes the whole text of an entry again, of the native lines that are kept (archive.WholeText has the errors).
func (s *Supervisor) WholeText(ctx context.Context, id string, e CutEntry) (string, error) {
	sum, err := s.Look(ctx, id)
	if err != nil {
		return "", err
	}
	return TextOf(ctx, s, &sum, e, func() (*Raw, error) { return s.Raw(ctx, id) })
}

// TextOf is WholeText of the native lines that open gives, with the agents of a supervisor.
func TextOf(ctx context.Context, s *Supervisor, sum *session.Summary, e CutEntry, open func() (*Raw, error)) (string, error) {
	agent := s.agents[sum.Agent]
	if agent == nil {
		return "", &protocol.Problem{
			Code: protocol.CodeAgentNotFound, Detail: "The session's agent is none of this daemon's.", Hint: protocol.TermListAgents + " lists the agents.",
		}
	}
	return archive.WholeText(ctx, agent, sum.ID, e, open)
}
