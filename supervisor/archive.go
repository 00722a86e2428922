package supervisor

import (
	"cmp"
	"context"
	"iter"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
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
		x.archive = raw.New(s.data.raw(id), raw.Options{
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
type Raw struct {
	reader *raw.Reader
	dir    string // of the session
	files  journal.FS
	newest uint64 // event whose lines must be there, with those of all before
}

// RawLine is one record with the run of events that its batch became; From and To are 0 where it became none, and where the
// journal does not know any more.
type RawLine struct {
	raw.Line
	From, To uint64
}

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
	r, err := OpenRaw(s.data.session(id), s.files)
	if err == nil && s.archives {
		r.newest = sum.Seq
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

// OpenRaw opens the raw archive in a session's folder; a nil FS is the operating system's.
func OpenRaw(dir string, files journal.FS) (*Raw, error) {
	r, err := raw.Read(filepath.Join(dir, rawFolder), files)
	if err != nil {
		return nil, err
	}
	return &Raw{reader: r, dir: dir, files: files}, nil
}

// rawFolder is the archive's name in a session's folder.
const rawFolder = "raw"

// First is the number of the oldest record that is kept; 1: none is missing.
func (r *Raw) First() uint64 { return r.reader.First() }

// Lines gives the records, oldest first; each is valid until the next. Records and journal name batches in the same order, so that both
// are gone through once, side by side. Where lines at the end are missing of which the journal knows, the last one is a note that says so.
func (r *Raw) Lines() iter.Seq2[RawLine, error] {
	return func(yield func(RawLine, error) bool) {
		var told journal.Source // the newest batch whose lines were there
		last := r.reader.First() - 1
		next, stop := iter.Pull2(journal.Spans(r.dir, journal.Options{FS: r.files}))
		defer stop()
		span, err, more := next()
		for l, lineErr := range r.reader.Lines() {
			if lineErr != nil {
				yield(RawLine{}, lineErr)
				return
			}
			line := RawLine{Line: l}
			last = l.Number
			at := journal.Source{Incarnation: l.Incarnation, Batch: l.Batch}
			for more && err == nil && l.Batch > 0 && span.Source.Before(at) {
				span, err, more = next()
			}
			if err != nil {
				yield(RawLine{}, err)
				return
			}
			if more && l.Batch > 0 && span.Source == at {
				line.From, line.To = span.First, span.Last
			}
			if more && line.To > 0 && at.Batch > 0 {
				told = at
			}
			if !yield(line, nil) {
				return
			}
		}
		var missing RawLine
		for ; more && err == nil && span.Last <= r.newest; span, err, more = next() {
			if told.Before(span.Source) {
				missing.From, missing.To = cmp.Or(missing.From, span.First), span.Last
			}
		}
		if err == nil && missing.To > 0 {
			missing.Line = raw.Missing(last + 1)
			yield(missing, nil)
		}
	}
}
