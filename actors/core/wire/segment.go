package wire

import (
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Segment is core.Segment.
type Segment struct {
	Session string      `json:"session"`
	First   uint64      `json:"first"`
	Last    uint64      `json:"last"`
	Object  core.Object `json:"object"`
	Rows    []Row       `json:"rows"`
	Line    []byte      `json:"line"`
}

// Row is core.Row.
type Row struct {
	First   uint64     `json:"first"`
	Epoch   uint64     `json:"epoch"`
	Time    int64      `json:"time"`
	Sources []byte     `json:"sources"` // as core.EncodeSources writes them
	Bytes   int64      `json:"bytes"`
	Lease   core.Lease `json:"lease,omitempty"`
}

// SegmentOf is a segment on its way.
func SegmentOf(s *core.Segment) *Segment {
	w := &Segment{Session: s.Session, First: s.First, Last: s.Last, Object: s.Object, Line: s.Line, Rows: make([]Row, 0, len(s.Rows))}
	for i := range s.Rows {
		r := &s.Rows[i]
		w.Rows = append(w.Rows, Row{r.First, r.Epoch, r.Time, core.EncodeSources(r.Sources), r.Bytes, r.Lease})
	}
	return w
}

// Segment is the way back.
func (w *Segment) Segment() (*core.Segment, error) {
	s := &core.Segment{Session: w.Session, First: w.First, Last: w.Last, Object: w.Object, Line: w.Line, Rows: make([]core.Row, 0, len(w.Rows))}
	for i := range w.Rows {
		r := &w.Rows[i]
		sources, err := core.DecodeSources(r.Sources)
		if err != nil {
			return nil, err
		}
		s.Rows = append(s.Rows, core.Row{
			Stretch: store.Stretch{First: r.First, Epoch: r.Epoch, Time: r.Time, Sources: sources}, Bytes: r.Bytes, Lease: r.Lease,
		})
	}
	return s, nil
}
