package core

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"iter"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Cold is the side of Core that knows which events of logs are no rows any more: segments, which are objects in a store that Core itself never asks. Up to its
// cold end a log is segments, and rows behind that. Package cold joins both.
//
// An object is there before a row names it, and is deleted when none does and none will: whoever is about to put one says so with its key, which is used once
// and never again, and Core takes that as long as the key was not given up. So no clock but Core's counts, and nobody who was away for a day can name what
// was deleted meanwhile.
type Cold interface {
	// Due gives sessions that have rows to be made segments, those with most bytes first, without those of which somebody has intended an object within Busy.
	Due(ctx context.Context, want Due) ([]Ready, error)
	// Intend says that an object of that key is about to be put for a session. It is false where Core does not have the session, where the key was said
	// before, and where somebody else has said so of the session within Busy.
	Intend(ctx context.Context, session, key string) (bool, error)
	// Compact puts a segment in the place of the rows that it was made of, all or nothing. It is taken where its key was intended and was not given up, the
	// log's cold end is right before it, and the rows are still those, each with its lease; and where it is there already. Whether a session's owner appends
	// meanwhile does not matter, and neither does its lease. One that was taken stays so behind a cut. Where it is not taken, the key is
	// given up, and the object may be deleted. A *RefusedError says that it is no segment.
	Compact(ctx context.Context, s *Segment) (taken bool, err error)
	// Pieces is Reader.Stretches, with segments in the place of what is not in rows.
	Pieces(ctx context.Context, id string, since, upTo uint64) iter.Seq2[Piece, error]
	// Count is Reader.Bytes of what is in whole rows and whole segments; parts are the others, four at most.
	Count(ctx context.Context, id string, since, upTo uint64) (whole int64, parts []Piece, err error)
	// Aside is Reader.Superseded, with segments.
	Aside(ctx context.Context, id string) iter.Seq2[Piece, error]
	// Depict names the object of a picture, whose key was intended and not given up. Where the session has that picture already, or is not there, it is not
	// taken, and the key is given up.
	Depict(ctx context.Context, p Picture) (taken bool, err error)
	// Pictures gives those of a session, in the order of their digests.
	Pictures(ctx context.Context, session string) ([]Picture, error)
	// Garbage gives keys of objects up that were intended, or that a removed session has had, for as long as Forsaken, and names the first of them.
	// From then on nobody can name such a key in a row.
	Garbage(ctx context.Context, most int) (keys []string, err error)
	// Deleted says that objects are gone, so that they are garbage no more.
	Deleted(ctx context.Context, keys []string) error
	// Strays gives those of the keys that Core has never heard of, or has forgotten: neither does a row name them nor has anybody intended them.
	Strays(ctx context.Context, keys []string) ([]string, error)
}

const (
	// Forsaken is how long an object stays that no row names.
	Forsaken = 24 * time.Hour
	// Busy is how long nobody else makes a segment of a session of which somebody does.
	Busy = 10 * time.Minute
	// MaxRow is how many bytes of lines the rows of one segment have at most, beside the last one of them.
	MaxRow = 1 << 30
)

// Due says which sessions are to have segments made of their rows.
type Due struct {
	Full int64         `json:"full"` // which have so many bytes of lines in rows,
	Rest time.Duration `json:"rest"` // or to which nothing was appended for so long, by Core's clock, and which have any
	Most int           `json:"most"` // sessions at most
}

// Ready is a session that is due.
type Ready struct {
	Session string `json:"session"`
	Since   uint64 `json:"since"` // the cold end of its log
	Head    uint64 `json:"head"`
	Bytes   int64  `json:"bytes"` // of lines in rows, about
	Rests   bool   `json:"rests"`
}

// Segment is a stretch of a log that is in an object.
type Segment struct {
	Session     string
	First, Last uint64 // events that are meant: those of the object, or what a cut has left of them, or put aside
	Object      Object
	// Rows are what the lines were in Core, in order: with them Core gives them back as it was given them. In Compact they are those of all of the object;
	// else there may be some around what is meant.
	Rows []Row
	// Line is the object's last one, which Core keeps beside it: whoever wants the newest event of a log alone, as the shipper does that compares it, does not
	// need the store.
	Line []byte
}

// Picture is one of a session's prompts, which its log names by the digest of its bytes.
type Picture struct {
	Session string            `json:"session"`
	Digest  [sha256.Size]byte `json:"digest"`
	Key     string            `json:"key"`  // of its object
	Size    int64             `json:"size"` // bytes
}

// Object is a segment's file, as package segment makes it.
type Object struct {
	Key    string            `json:"key"`
	First  uint64            `json:"first"` // events
	Last   uint64            `json:"last"`
	Size   int64             `json:"size"` // bytes
	SHA256 [sha256.Size]byte `json:"sha256"`
	Frames []Frame           `json:"frames"`
}

// Frame is where a compressed frame of an object begins.
type Frame struct {
	First  uint64 `json:"first"` // event
	Offset int64  `json:"offset"`
}

// Row is a stretch without its lines.
type Row struct {
	store.Stretch
	Bytes int64 // of its lines
	Lease Lease // under which it was appended; counts in Compact, and is not kept
}

// Piece is a row, or a segment.
type Piece struct {
	store.Stretch // of a row
	Lease         Lease
	Segment       *Segment // nil: it is a row
}

// Last is the newest event of it.
func (p *Piece) Last() uint64 {
	if p.Segment != nil {
		return p.Segment.Last
	}
	return p.Stretch.Last()
}

// Piece is the segment as a piece: a row, where all that is meant of it is the line that Core keeps.
func (s *Segment) Piece() Piece {
	if s.First != s.Object.Last || s.Last != s.Object.Last || len(s.Line) == 0 || len(s.Rows) == 0 {
		return Piece{Segment: s}
	}
	st := s.Rows[len(s.Rows)-1].Stretch
	made := st.Sources[len(st.Sources)-1]
	made.Count = 1
	return Piece{Stretch: store.Stretch{First: s.Last, Epoch: st.Epoch, Time: st.Time, Sources: []store.Made{made}, Lines: s.Line}}
}

// Whole says that all of the object is meant.
func (s *Segment) Whole() bool { return s.First == s.Object.First && s.Last == s.Object.Last }

// Part is what of a segment is behind since and not behind upTo.
func (s *Segment) Part(since, upTo uint64) *Segment {
	p := *s
	p.First, p.Last = max(s.First, since+1), min(s.Last, upTo)
	return &p
}

// Check says why this is no segment that Core could take; "": it is one.
func (s *Segment) Check() string {
	next := s.Object.First
	for i := range s.Rows {
		r := &s.Rows[i]
		if r.First != next || r.Count() <= 0 || r.Bytes <= 0 || r.Bytes > MaxRow {
			return fmt.Sprintf("a row with event %d where %d comes next", r.First, next)
		}
		next = r.Last() + 1
	}
	switch frames := s.Object.Frames; {
	case !s.Whole(), next == s.Object.First, next != s.Object.Last+1:
		return fmt.Sprintf("events %d to %d of an object with %d to %d, and rows up to %d", s.First, s.Last, s.Object.First, s.Object.Last, next-1)
	case s.Object.Key == "", s.Object.Size <= 0, len(frames) == 0, frames[0] != Frame{First: s.First}:
		return "the object has no key, no bytes, or no first frame"
	case !bytes.HasSuffix(s.Line, []byte{'\n'}) || bytes.Count(s.Line, []byte{'\n'}) != 1:
		return "the last line is none"
	}
	return ""
}

// Bytes are those of its rows' lines.
func (s *Segment) Bytes() (n int64) {
	for i := range s.Rows {
		n += s.Rows[i].Bytes
	}
	return n
}
