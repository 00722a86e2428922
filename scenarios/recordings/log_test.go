// Package recordings proves the import of recordings: translators and session core together, by the code of `ringmaster
// import`, from an agent's native lines to whole logs.
package recordings

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters/pi"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/conversion"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// folder holds the recordings of Pi and facts.json.
const folder = "../../adapters/pi/testdata/recordings"

// recordings reads all of them, by name.
func recordings(t testing.TB) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	files := os.DirFS(folder)
	err := fs.WalkDir(files, ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".jsonl") {
			all[strings.TrimSuffix(path.Base(name), ".jsonl")], err = fs.ReadFile(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// options of all conversions here: times count from the epoch, so that the times of a log are those of the recording.
var options = conversion.Options{Agent: pi.Agent{}, Start: time.UnixMilli(0)}

// log is one session that came out, folded.
type log struct {
	events []protocol.Event
	state  protocol.SessionState
	joined map[string]string // by entry: its text as the deltas made it, before its end
}

// convert makes the logs of an input.
func convert(t testing.TB, in io.Reader) []*log {
	t.Helper()
	return convertAs(t, options, in)
}

func convertAs(t testing.TB, opt conversion.Options, in io.Reader) []*log {
	t.Helper()
	var out bytes.Buffer
	stats, err := conversion.Convert(&out, in, opt)
	if err != nil && !errors.Is(err, conversion.ErrForeign) && !errors.Is(err, conversion.ErrEmpty) {
		t.Fatal(err)
	}
	logs := read(t, out.Bytes())
	if stats.Sessions != len(logs) {
		t.Fatalf("%d sessions counted, %d logs", stats.Sessions, len(logs))
	}
	return logs
}

// read splits what came out at each first event. Every log is audited, every line must be in the exact form of the codec, and
// in the end nothing may be open and the session idle; a sub-agent may be done.
func read(t testing.TB, out []byte) []*log {
	t.Helper()
	var logs []*log
	var check *audit.Log
	settled := func() {
		t.Helper()
		if check == nil {
			return
		}
		if err := check.Settled(); err != nil {
			t.Fatalf("log %d: %v", len(logs), err)
		}
		st, child := check.Status(), logs[len(logs)-1].state.Metadata.SubAgent
		if st.State != protocol.StateIdle && !(child && st.State == protocol.StateCompleted) || st.QueuedPrompts != 0 {
			t.Fatalf("log %d ends %s with %d prompts waiting", len(logs), st.State, st.QueuedPrompts)
		}
	}
	lines := protocol.NewLineReader(bytes.NewReader(out), 0)
	for {
		line, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		e, err := protocol.Decode(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if again := protocol.Append(nil, &e); !bytes.Equal(again, line) {
			t.Fatalf("%s\nis written again as\n%s", line, again)
		}
		if e.Seq == 1 {
			settled()
			logs, check = append(logs, &log{joined: map[string]string{}}), audit.New()
		}
		if check == nil {
			t.Fatalf("the first event has seq %d", e.Seq)
		}
		if err := check.Take(&e); err != nil {
			t.Fatalf("log %d, seq %d: %v", len(logs), e.Seq, err)
		}
		logs[len(logs)-1].take(&e)
	}
	settled()
	return logs
}

func (l *log) take(e *protocol.Event) {
	if end, ok := e.Payload.(*protocol.EntryEnd); ok {
		if x := l.state.Entry(end.EntryID); x != nil {
			l.joined[end.EntryID] = text(x.Data)
		}
	}
	l.events = append(l.events, *e)
	l.state.Apply(e)
}

// text is the main text of an entry; of a tool call, its output.
func text(d protocol.EntryData) string {
	switch d := d.(type) {
	case *protocol.MessageData:
		return d.Text
	case *protocol.ThinkingData:
		return d.Text
	case *protocol.ToolCallData:
		return d.Output
	case *protocol.CompactionData:
		return d.Summary
	case *protocol.SystemData:
		return d.Text
	case *protocol.ToolResultData, *protocol.PlanData, *protocol.UnknownData:
	}
	return ""
}
