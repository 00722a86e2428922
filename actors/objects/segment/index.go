package segment

import (
	"errors"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	// FrameSize is how many bytes of lines a frame has at most, if it has more than one.
	FrameSize = 256 << 10
	// MaxLine is how many bytes a line has at most, with its end: a text of a log has 100 KiB, a native line 8 MiB by the framer, and some times that where it
	// is one to the agent.
	MaxLine = 64 << 20
	// maxPacked bounds a compressed frame: what cannot be compressed is stored, in blocks of 128 KiB with three bytes before each.
	maxPacked = MaxLine + MaxLine/1024 + 1024
)

// Frame is where one begins.
type Frame struct {
	First  uint64 // number of its first line
	Offset int64  // in the file
}

// Index is what is known of a segment beside its bytes.
type Index struct {
	First, Last uint64 // numbers of lines
	Raw         int64  // bytes of lines
	Size        int64  // bytes of the file
	SHA256      objects.Digest
	Frames      []Frame
}

// LogKey is the key of a segment of a session's log.
func (x *Index) LogKey(session string) string {
	return objects.LogKey(session, x.First, x.Last, x.SHA256)
}

// RawKey is the key of a segment of the archive of native lines that a node has made.
func (x *Index) RawKey(session, node string) string {
	return objects.RawKey(session, node, x.First, x.Last, x.SHA256)
}

// Check says why this is no index; nil: it can be one.
func (x *Index) Check() error {
	if x.First == 0 || x.Last < x.First || x.Last > protocol.MaxSeq || x.Size <= 0 || x.Raw < 0 {
		return fmt.Errorf("lines %d to %d in %d bytes", x.First, x.Last, x.Size)
	}
	if len(x.Frames) == 0 || x.Frames[0] != (Frame{First: x.First}) {
		return errors.New("the first frame is not at the beginning")
	}
	for i, f := range x.Frames {
		first, offset := x.end(i)
		if first <= f.First || offset <= f.Offset {
			return fmt.Errorf("behind a frame with line %d at %d comes line %d at %d", f.First, f.Offset, first, offset)
		}
		if offset-f.Offset > maxPacked {
			return fmt.Errorf("a frame has %d bytes", offset-f.Offset)
		}
	}
	return nil
}

// end is the line and the place behind a frame.
func (x *Index) end(i int) (first uint64, offset int64) {
	if i+1 < len(x.Frames) {
		return x.Frames[i+1].First, x.Frames[i+1].Offset
	}
	return x.Last + 1, x.Size
}
