package conversion_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/conversion"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// parrot is an agent whose native lines are the texts of its answers. A line to it begins a run, an empty line of it ends
// one.
type parrot struct{ specs *[]adapters.Spec }

func (parrot) Name() string                               { return "parrot" }
func (parrot) Capabilities() adapters.Capabilities        { return adapters.Capabilities{} }
func (parrot) Find(context.Context) adapters.Installation { return adapters.Installation{} }
func (parrot) Launch(adapters.Spec) adapters.Launch       { return adapters.Launch{} }
func (p parrot) Translator(s adapters.Spec) adapters.Translator {
	*p.specs = append(*p.specs, s)
	return &parrotTranslator{}
}

type parrotTranslator struct{ key adapters.EntryKey }

func (p *parrotTranslator) Start(out *adapters.Output) {
	out.Line([]byte("a handshake that nobody hears"))
	out.Draft(adapters.Ready{NativeSessionID: "native"})
}

func (p *parrotTranslator) Line(line []byte, out *adapters.Output) {
	if text := strings.Trim(string(line), `"`); text != "over" {
		p.key++
		data := &protocol.MessageData{Role: "assistant", Text: text}
		out.Draft(adapters.EntryOpened{Key: p.key, Type: protocol.EntryAssistantMessage, Data: data})
		if text != "unfinished" {
			out.Draft(adapters.EntryClosed{Key: p.key, Data: data})
		}
		return
	}
	out.Draft(adapters.TurnEnded{Status: protocol.TurnCompleted})
}

func (p *parrotTranslator) Sent(line []byte, out *adapters.Output) {
	out.Draft(adapters.TurnBegan{Prompt: &protocol.Prompt{Text: string(line)}})
}

func (p *parrotTranslator) Command(adapters.Command, *adapters.Output) {}
func (p *parrotTranslator) Exit(adapters.Exit, *adapters.Output)       {}

func record(ms int, conn, dir, text string) string {
	return fmt.Sprintf(`{"t_ms":%d,"conn":%q,"dir":%q,"data":%q}`+"\n", ms, conn, dir, text)
}

func convert(t *testing.T, text string) ([][]protocol.Event, []adapters.Spec, error) {
	t.Helper()
	var out bytes.Buffer
	var specs []adapters.Spec
	opt := conversion.Options{Agent: parrot{&specs}, Name: "r", Start: time.UnixMilli(1000)}
	stats, err := conversion.Convert(&out, strings.NewReader(text), opt)
	all := logs(t, out.Bytes())
	if stats.Sessions != len(all) {
		t.Errorf("%d sessions counted, %d logs", stats.Sessions, len(all))
	}
	return all, specs, err
}

// texts of the ended entries of a log.
func texts(log []protocol.Event) string {
	var list []string
	for _, e := range log {
		if end, ok := e.Payload.(*protocol.EntryEnd); ok {
			if m, ok := end.Data.(*protocol.MessageData); ok {
				list = append(list, m.Text)
			}
		}
	}
	return strings.Join(list, " ")
}

// Sessions that were recorded side by side come out one after the other, each whole.
func TestSessionsSideBySide(t *testing.T) {
	all, _, err := convert(t, record(10, "a", "in", "go")+record(20, "b", "in", "go")+record(30, "b", "out", "b1")+
		record(40, "a", "out", "a1")+record(50, "b", "out", "over")+record(60, "a", "out", "a2")+record(70, "a", "out", "over"))
	if err != nil || len(all) != 2 || texts(all[0]) != "a1 a2" || texts(all[1]) != "b1" {
		t.Fatalf("%d logs, %v", len(all), err)
	}
	if first, last := all[0][0], all[0][len(all[0])-1]; first.Time != 1010 || last.Time != 1070 {
		t.Errorf("times %d to %d", first.Time, last.Time)
	}
	a, okA := all[0][0].Payload.(*protocol.SessionStart)
	b, okB := all[1][0].Payload.(*protocol.SessionStart)
	if !okA || !okB || a.SessionID == b.SessionID || !protocol.ValidSessionID(a.SessionID) {
		t.Errorf("session ids %+v and %+v", a, b)
	}
}

// An agent that was started again goes on in the same log, with its own session.
func TestRestartGoesOn(t *testing.T) {
	all, specs, err := convert(t, `{"t_ms":1,"dir":"meta","data":{"event":"spawn","argv":["x"],"cwd":"/w"}}`+"\n"+
		record(10, "", "in", "go")+record(20, "", "out", "unfinished")+
		`{"t_ms":30,"dir":"meta","data":{"event":"exit","status":"signal: killed"}}`+"\n"+
		`{"t_ms":40,"dir":"meta","data":{"event":"spawn","argv":["x"],"cwd":"/w"}}`+"\n"+
		record(50, "", "in", "go")+record(60, "", "out", "two")+record(70, "", "out", "over"))
	if err != nil || len(all) != 1 || texts(all[0]) != "unfinished two" {
		t.Fatalf("%d logs, %v", len(all), err)
	}
	if len(specs) != 2 || specs[0].Resume || !specs[1].Resume || specs[1].NativeSessionID != "native" || specs[1].Cwd != "/w" {
		t.Errorf("specs %+v", specs)
	}
	var ends []protocol.TurnStatus
	for _, e := range all[0] {
		if p, ok := e.Payload.(*protocol.TurnEnd); ok {
			ends = append(ends, p.Status)
		}
	}
	if len(ends) != 2 || ends[0] != protocol.TurnError || ends[1] != protocol.TurnCompleted {
		t.Errorf("turns ended %v", ends)
	}
}

// Wherever a recording is cut, the log is well formed; a line that cannot be read is named, and what came before is there.
func TestCutAnywhere(t *testing.T) {
	whole := record(10, "", "in", "go") + record(20, "", "out", "one") + record(30, "", "out", "unfinished") + record(40, "", "out", "over")
	for cut := range len(whole) {
		_, _, err := convert(t, whole[:cut])
		atLine := cut == 0 || whole[cut-1] == '\n' || whole[cut] == '\n'
		if first := strings.IndexByte(whole, '\n'); (err == nil) != (atLine || cut < first) {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	broken := errors.New("disk full")
	var specs []adapters.Spec
	_, err := conversion.Convert(failing{broken}, strings.NewReader(record(1, "", "in", "go")), conversion.Options{Agent: parrot{&specs}})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
