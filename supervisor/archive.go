package supervisor

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/archive"
	"go.uber.org/zap"
)

// record gives the recorder of an agent's connection; nil: native lines are not kept. A session has one archive for the life of
// this daemon, whichever of its agents' connections runs or is still ending.
func (s *state) record(x *member, m *launched) *raw.Recorder {
	if s.cfg.RawLimit < 0 {
		return nil
	}
	if x.archive == nil {
		id, log := x.summary.ID, s.cfg.Log
		x.archive = raw.New(s.data.Raw(id), raw.Options{
			FS: s.cfg.Files, Limit: s.cfg.RawLimit, Now: s.cfg.Now, Counters: &s.health.raw,
			Failed: func(err error) {
				log.Warn("native lines are not kept", zap.String("session", id), zap.Error(err))
			},
		})
	}
	b := raw.Beginning{
		Cwd: m.spec.Cwd, Version: m.spec.Version, NativeSessionID: m.spec.NativeSessionID, Model: m.spec.Model, Mode: m.spec.Mode,
		Resume: m.spec.Resume, Child: m.spec.Child, MaxText: m.spec.MaxText,
	}
	if m.spec.MCP != nil {
		b.MCPServer = m.spec.MCP.Name
	}
	return x.archive.Record(m.effect.Incarnation, b)
}

// closeArchive writes what waits; it takes nothing more.
func (x *member) closeArchive() {
	if x.archive != nil {
		x.archive.Close()
		x.archive = nil
	}
}

// Raw is a session's raw archive as it is when it is asked for.
type Raw = archive.Raw

// RawLine is one record with the run of events that its batch became.
type RawLine = archive.Line

// OpenRaw opens the raw archive in a session's folder; a nil FS is the operating system's.
func OpenRaw(dir string, files disk.FS) (*Raw, error) { return archive.Open(dir, files) }

// Raw opens a session's raw archive for reading, without starting its actor: it has the lines of all events that were shown before. Errors are
// *protocol.Problem and those of the disk.
func (s *Supervisor) Raw(ctx context.Context, id string) (*Raw, error) {
	sum, err := s.Look(ctx, id) // first: what is flushed after it has the lines of all that it knows of
	if err != nil {
		return nil, err
	}
	if err := s.flushed(ctx, id); err != nil {
		return nil, err
	}
	r, err := OpenRaw(s.data.Session(id), s.files)
	if err == nil && s.archives {
		r.Expect(sum.Seq)
	}
	return r, err
}

// flushed returns when the native lines of what a session's log shows are written, or lost.
func (s *Supervisor) flushed(ctx context.Context, id string) error {
	a, err := ask.Ask(ctx, s.ref, func(r ask.Reply[*raw.Archive]) Message { return &FindArchive{r, id} })
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
	agent := s.agents[sum.Agent]
	if agent == nil {
		return "", &protocol.Problem{
			Code: protocol.CodeAgentNotFound, Detail: "The session's agent is none of this daemon's.", Hint: protocol.TermListAgents + " lists the agents.",
		}
	}
	return archive.WholeText(ctx, agent, id, e, s.data.Raw(id), s.files, func() error { return s.flushed(ctx, id) })
}
