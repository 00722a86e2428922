package conversion_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/conversion"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// logs splits the output of a conversion at each first event and audits every log.
func logs(t *testing.T, out []byte) [][]protocol.Event {
	t.Helper()
	var all [][]protocol.Event
	var log *audit.Log
	for e, err := range protocol.Events(bytes.NewReader(out)) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Seq == 1 {
			all, log = append(all, nil), audit.New()
		}
		if len(all) == 0 {
			t.Fatalf("the first event has seq %d", e.Seq)
		}
		if err := log.Take(&e); err != nil {
			t.Fatalf("log %d: %v", len(all), err)
		}
		last := &all[len(all)-1]
		*last = append(*last, e)
	}
	return all
}

// parrot is an agent whose native lines are the texts of its answers. A line to it begins a run, an empty line of it ends
// one. The lines "new", "older" and "copy" leave the session, "at ID" names it.
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
	text := strings.Trim(string(line), `"`)
	to := map[string]adapters.Destination{"new": adapters.ToNew, "older": adapters.ToOlder, "copy": adapters.ToCopy}
	if d, leaves := to[text]; leaves {
		out.Draft(adapters.SessionLeft{To: d})
		return
	}
	if id, named := strings.CutPrefix(text, "at "); named {
		out.Draft(adapters.MetaChanged{Meta: protocol.SessionMeta{NativeSessionID: &id}})
		return
	}
	if text == "strange" {
		out.Draft(adapters.Native{Kind: "strange", Raw: []byte("{}")})
		return
	}
	if text != "over" {
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
	opt := conversion.Options{Agent: parrot{&specs}, Start: time.UnixMilli(1000)}
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

// Wherever a recording is cut, the log is well formed; a line that was cut is named in it, and what came before is there.
func TestCutAnywhere(t *testing.T) {
	whole := record(10, "", "in", "go") + record(20, "", "out", "one") + record(30, "", "out", "unfinished") + record(40, "", "out", "over")
	first := strings.IndexByte(whole, '\n')
	for cut := 1; cut < len(whole); cut++ {
		all, _, err := convert(t, whole[:cut])
		if err != nil || len(all) != 1 {
			t.Fatalf("cut at %d: %d logs, %v", cut, len(all), err)
		}
		torn := cut > first && whole[cut-1] != '\n' && whole[cut] != '\n'
		if got := strings.Contains(notices(all[0]), "was skipped: no record"); got != torn {
			t.Errorf("cut at %d: notices %q", cut, notices(all[0]))
		}
		if cut > strings.Index(whole, `"one"`)+len(`"one"}`) && !strings.HasPrefix(texts(all[0]), "one") {
			t.Errorf("cut at %d: texts %q", cut, texts(all[0]))
		}
	}
}

func notices(log []protocol.Event) string {
	var list []string
	for _, e := range log {
		if end, ok := e.Payload.(*protocol.EntryEnd); ok {
			if s, ok := end.Data.(*protocol.SystemData); ok {
				list = append(list, s.Text)
			}
		}
	}
	return strings.Join(list, "\n")
}

// An agent that goes into another session in the same process goes on in the log of that one: a new one, a copy with its
// parent, or one that it was in before. An entry that is closed or bound later stays in its log.
func TestSessionsOfOneProcess(t *testing.T) {
	run := func(text string) string {
		return record(1, "", "in", "go") + record(2, "", "out", text) + record(3, "", "out", "over")
	}
	goTo := func(how, id string) string { return record(4, "", "out", how) + record(5, "", "out", "at "+id) }
	all, _, err := convert(t, run("one")+goTo("new", "B")+run("two")+goTo("copy", "C")+run("three")+goTo("older", "native")+
		run("four")+goTo("older", "B")+run("five")+record(9, "", "out", "new")+run("six"))
	if err != nil || len(all) != 4 {
		t.Fatalf("%d logs, %v", len(all), err)
	}
	for i, want := range []string{"one four", "two five", "three", "six"} {
		if got := texts(all[i]); got != want {
			t.Errorf("log %d says %q, want %q", i+1, got, want)
		}
	}
	copied, okCopy := all[2][0].Payload.(*protocol.SessionStart)
	parent, okParent := all[1][0].Payload.(*protocol.SessionStart)
	if !okCopy || !okParent || copied.Metadata.ParentSessionID != parent.SessionID || parent.Metadata.ParentSessionID != "" {
		t.Errorf("the copy %+v of %+v", copied, parent)
	}
}

// An id that is another one moves the agent, also where nobody said that it leaves.
func TestAnotherIDIsAnotherSession(t *testing.T) {
	all, _, err := convert(t, record(1, "", "in", "go")+record(2, "", "out", "one")+record(3, "", "out", "over")+
		record(4, "", "out", "at X")+record(5, "", "out", "two"))
	if err != nil || len(all) != 2 || texts(all[0]) != "one" || texts(all[1]) != "two" {
		t.Fatalf("%d logs, %v", len(all), err)
	}
}

func TestNothingInIt(t *testing.T) {
	for _, c := range []struct {
		in   string
		want error
	}{
		{"", conversion.ErrEmpty},
		{"\n\n", conversion.ErrEmpty},
		{record(1, "", "out", "strange"), conversion.ErrForeign},
		{record(1, "", "out", "strange") + record(2, "", "out", "hello"), nil},
		{record(1, "", "in", "go"), nil},
	} {
		if _, _, err := convert(t, c.in); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.in, err, c.want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	broken := errors.New("I/O error")
	var out bytes.Buffer
	var specs []adapters.Spec
	in := io.MultiReader(strings.NewReader(record(1, "", "in", "go")+record(2, "", "out", "one")), iotest.ErrReader(broken))
	_, err := conversion.Convert(&out, in, conversion.Options{Agent: parrot{&specs}})
	if all := logs(t, out.Bytes()); !errors.Is(err, broken) || len(all) != 1 || texts(all[0]) != "one" {
		t.Errorf("%d logs, %v", len(all), err)
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
