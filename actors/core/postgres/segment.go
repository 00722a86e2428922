package postgres

import (
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// objectColumns are those of session_segment and session_lost that tell of an object.
const objectColumns = `object_first, object_last, key, bytes, sha256, frame_seq, frame_off, made, line`

func objectArguments(s *core.Segment) []any {
	var firsts []uint64
	var offsets []int64
	for _, f := range s.Object.Frames {
		firsts, offsets = append(firsts, f.First), append(offsets, f.Offset)
	}
	o := &s.Object
	return []any{o.First, o.Last, o.Key, o.Size, o.SHA256[:], firsts, offsets, core.EncodeRows(s.Rows), s.Line}
}

// object is objectColumns of a row; a join may have them empty.
type object struct {
	first, last, size  *uint64
	key                *string
	digest, made, line []byte
	firsts             []uint64
	offsets            []int64
}

func (o *object) into() []any {
	return []any{&o.first, &o.last, &o.key, &o.size, &o.digest, &o.firsts, &o.offsets, &o.made, &o.line}
}

var errSegment = errors.New("the row of a segment is damaged")

// segment is that of a row with objectColumns, for events of a session.
func (o *object) segment(session string, first, last uint64) (*core.Segment, error) {
	s := &core.Segment{Session: session, First: first, Last: last, Line: o.line}
	s.Object = core.Object{Key: *o.key, First: *o.first, Last: *o.last, Size: int64(*o.size)}
	if copy(s.Object.SHA256[:], o.digest) != len(s.Object.SHA256) || len(o.firsts) != len(o.offsets) {
		return nil, errSegment
	}
	for i, f := range o.firsts {
		s.Object.Frames = append(s.Object.Frames, core.Frame{First: f, Offset: o.offsets[i]})
	}
	var err error
	s.Rows, err = core.DecodeRows(o.made, s.Object.First, first, last)
	return s, err
}
