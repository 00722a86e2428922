// Package archive reads the raw archives of sessions: native lines with the events that they became, and the whole text of a cut entry.
package archive

import (
	"cmp"
	"iter"
	"path/filepath"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
)

// Raw is a session's raw archive as it is when it is asked for.
type Raw struct {
	reader *raw.Reader
	spans  iter.Seq2[store.Span, error] // of the session's log
	newest uint64                       // event whose lines must be there, with those of all before
}

// Line is one record with the run of events that its batch became; From and To are 0 where it became none, and where the
// journal does not know any more.
type Line struct {
	raw.Line
	From, To uint64
}

// Open opens the raw archive in a session's folder, beside the spans of its log; a nil FS is the operating system's.
func Open(dir string, files disk.FS, spans iter.Seq2[store.Span, error]) (*Raw, error) {
	r, err := raw.Read(filepath.Join(dir, Folder), files)
	if err != nil {
		return nil, err
	}
	return &Raw{reader: r, spans: spans}, nil
}

// Folder is the archive's name in a session's folder.
const Folder = "raw"

// Expect has Lines say where lines are missing of events up to newest.
func (r *Raw) Expect(newest uint64) { r.newest = newest }

// First is the number of the oldest record that is kept; 1: none is missing.
func (r *Raw) First() uint64 { return r.reader.First() }

// Largest is about how many bytes of text Lines has in memory at once.
func (r *Raw) Largest() (int64, error) { return r.reader.Largest() }

// Lines gives the records, oldest first; each is valid until the next. Records and journal name batches in the same order, so that both
// are gone through once, side by side. Where lines at the end are missing of which the journal knows, the last one is a note that says so.
func (r *Raw) Lines() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		var told store.Source // the newest batch whose lines were there
		last := r.reader.First() - 1
		next, stop := iter.Pull2(r.spans)
		defer stop()
		span, err, more := next()
		for l, lineErr := range r.reader.Lines() {
			if lineErr != nil {
				yield(Line{}, lineErr)
				return
			}
			line := Line{Line: l}
			last = l.Number
			at := store.Source{Incarnation: l.Incarnation, Batch: l.Batch}
			for more && err == nil && l.Batch > 0 && span.Source.Before(at) {
				span, err, more = next()
			}
			if err != nil {
				yield(Line{}, err)
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
		var missing Line
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
