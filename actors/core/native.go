package core

import (
	"context"
	"errors"
	"fmt"
)

// Natives is the side of Core that knows which native lines of sessions are in an object store: segments of the archives that nodes have of them. What Cold
// says of objects holds for theirs as well.
type Natives interface {
	// Archive names the object of a segment, whose key was intended and not given up. Where the session is not there, or the node has lines there that are not
	// before these, it is not taken, and the key is given up; it is taken where it is there already. Whose the session is by now does not matter. A
	// *RefusedError says that it is no segment.
	Archive(ctx context.Context, s *NativeSegment) (taken bool, err error)
	// Archived gives those of a session, in the order of their lines, and of their nodes.
	Archived(ctx context.Context, session string) ([]NativeSegment, error)
	// ArchivedUpTo gives the newest line that a node has there of sessions, in the order of the ids; 0: none.
	ArchivedUpTo(ctx context.Context, node string, sessions []string) ([]uint64, error)
	// Number gives a number for the next line of a session that has come to another node. It is above each that it has given before, and above each that is
	// archived, by leap at least: what the nodes before have not put yet has room there. It is 0 where the session is not there.
	Number(ctx context.Context, session string, leap uint64) (first uint64, err error)
}

// NativeSegment is a stretch of the native lines of a session as one node has archived them. Lines have numbers, which grow over all nodes of the session.
type NativeSegment struct {
	Session string
	Node    string // the data folder's instance
	Epoch   uint64 // the newest of the session's log on that node: no event of a later one was made of these lines
	Lines   int64  // bytes of the lines
	Longest int64  // of them, the longest
	Object  Object // its First and Last are numbers of lines
}

// Check is the error of a segment that Core could not take.
func (s *NativeSegment) Check() error {
	o := &s.Object
	switch {
	case s.Node == "", s.Node != Text(s.Node):
		return &RefusedError{Op: opArchive, Err: errors.New("no node has made it")}
	case o.First == 0, o.Last < o.First, s.Lines <= 0, s.Longest <= 0, s.Longest > s.Lines:
		return &RefusedError{Op: opArchive, Err: fmt.Errorf("lines %d to %d with %d bytes, the longest with %d", o.First, o.Last, s.Lines, s.Longest)}
	case o.Key == "", o.Size <= 0, len(o.Frames) == 0, o.Frames[0] != Frame{First: o.First}:
		return &RefusedError{Op: opArchive, Err: errors.New("the object has no key, no bytes, or no first frame")}
	}
	return nil
}

const opArchive = "archive"
