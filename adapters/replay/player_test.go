package replay_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/adapters/replay"
)

// plain is an agent whose translators tell what they are given.
type plain struct{}

func (plain) Name() string                               { return "plain" }
func (plain) Capabilities() adapters.Capabilities        { return adapters.Capabilities{} }
func (plain) Find(context.Context) adapters.Installation { return adapters.Installation{} }
func (plain) Launch(adapters.Spec) adapters.Launch       { return adapters.Launch{} }

func (plain) Translator(s adapters.Spec) adapters.Translator { return &parrot{spec: s} }

type parrot struct {
	spec adapters.Spec
	key  adapters.EntryKey
}

func notice(format string, args ...any) adapters.Notice {
	return adapters.Notice{Text: fmt.Sprintf(format, args...)}
}

func (p *parrot) Start(out *adapters.Output) {
	out.Line([]byte("hello"))
	s := p.spec
	out.Draft(notice("start %s native=%q resume=%v child=%v cwd=%s known=%q", s.SessionID, s.NativeSessionID, s.Resume, s.Child, s.Cwd, s.Known))
}

func (p *parrot) Line(line []byte, out *adapters.Output) {
	text := string(line)
	if id, ok := strings.CutPrefix(text, "id "); ok {
		out.Draft(adapters.Ready{NativeSessionID: id})
		return
	}
	if id, ok := strings.CutPrefix(text, "entry "); ok {
		p.key++
		out.Draft(adapters.EntryOpened{Key: p.key})
		out.Draft(adapters.EntryBound{Key: p.key, PersistentID: id})
		return
	}
	if text != "silence" {
		out.Draft(notice("%s", text))
	}
}

func (p *parrot) Sent(line []byte, out *adapters.Output)     { out.Draft(notice("sent %s", line)) }
func (p *parrot) Command(adapters.Command, *adapters.Output) {}
func (p *parrot) Exit(exit adapters.Exit, out *adapters.Output) {
	out.Draft(notice("exit %+v", exit.Code))
}

// hub carries sessions: lines are "NAME text". "NAME +" begins a session, "NAME +CHILD" a sub-agent, "NAME ." ends one.
type hub struct {
	plain
	own bool // connections belong to one session
}

func (h hub) Connection(adapters.Spec) string {
	if h.own {
		return ""
	}
	return "one"
}

func (h hub) Splitter(adapters.Spec) adapters.Splitter {
	return &splitter{lanes: map[string]adapters.Lane{}}
}

type splitter struct {
	newest adapters.Lane
	lanes  map[string]adapters.Lane
}

func (s *splitter) Start(out *adapters.Split) { out.Line([]byte("handshake")) }

func (s *splitter) add(name string) adapters.Lane {
	s.newest++
	s.lanes[name] = s.newest
	return s.newest
}

func (s *splitter) Join(adapters.Spec, *adapters.Split) adapters.Lane { return s.add("own") }

func (s *splitter) Line(line []byte, out *adapters.Split) {
	name, text, _ := strings.Cut(string(line), " ")
	switch {
	case text == "+":
		out.Born(s.add(name), adapters.Birth{NativeID: name})
	case strings.HasPrefix(text, "+"):
		parent := s.lanes[name]
		out.Born(s.add(text[1:]), adapters.Birth{Parent: parent, NativeID: text[1:]})
	case text == ".":
		out.Over(s.lanes[name])
	case name == "twice":
		out.Born(1, adapters.Birth{NativeID: name})
	case name == "all":
		for lane := range s.newest {
			out.To(lane+1, line[4:])
		}
	default:
		out.To(s.lanes[name], line[len(name)+1:])
	}
}

func (s *splitter) Say(adapters.Lane, []byte, *adapters.Split) {
	panic("what translators write goes nowhere")
}

func (s *splitter) Sent(line []byte, out *adapters.Split) {
	name, text, _ := strings.Cut(string(line), " ")
	out.Parts = append(out.Parts, adapters.Part{Lane: s.lanes[name], Line: []byte(text), Sent: true})
}

func (s *splitter) Leave(adapters.Lane, *adapters.Split) { panic("nobody leaves a recording") }

func begin(conn string) recording.Record {
	return recording.Record{Conn: conn, Step: recording.Start{Cwd: "/w"}}
}

func out(conn, line string) recording.Record {
	return recording.Record{Conn: conn, Step: recording.Out{Line: []byte(line)}}
}

func in(conn, line string) recording.Record {
	return recording.Record{Conn: conn, Step: recording.In{Line: []byte(line)}}
}

func end(conn string, code int) recording.Record {
	return recording.Record{Conn: conn, Step: recording.Exit{Exit: adapters.Exit{Code: code}}}
}

// tell plays records and writes what was said, one line each.
func tell(agent adapters.Agent, records ...recording.Record) (string, *replay.Player) {
	var b strings.Builder
	p := replay.New(agent, func(s *replay.Session) string { return fmt.Sprintf("S%d", s.Number) })
	p.Overwrite = true
	for _, r := range records {
		for _, said := range p.Play(r) {
			s := said.Session
			fmt.Fprintf(&b, "%d", s.Number)
			if s.Parent != nil {
				fmt.Fprintf(&b, "<%d", s.Parent.Number)
			}
			fmt.Fprintf(&b, ".%d", s.Incarnations)
			for _, d := range said.Drafts {
				if n, ok := d.(adapters.Notice); ok {
					b.WriteString(" " + n.Text)
				}
			}
			b.WriteByte('\n')
		}
	}
	return b.String(), p
}

func TestPlay(t *testing.T) {
	const fresh = `native="" resume=false child=false cwd=/w known=[]`
	for _, c := range []struct {
		name    string
		agent   adapters.Agent
		records []recording.Record
		want    string
	}{
		{
			"a plain agent, started again, beside another one",
			plain{},
			[]recording.Record{
				begin(""), out("", "id N"), begin("b"), out("b", "one"), out("", "entry x"), out("", "entry y"), out("", "silence"), end("", 1),
				begin(""), in("", "two"), end("", 0), end("b", 0),
			},
			"1.1 start S1 " + fresh + "\n1.1\n2.1 start S2 " + fresh + "\n2.1 one\n1.1\n1.1\n1.1 exit 1\n" +
				`1.2 start S1 native="N" resume=true child=false cwd=/w known=["x" "y"]` + "\n1.2 sent two\n1.2 exit 0\n2.1 exit 0\n",
		},
		{
			"sessions of a shared connection, a sub-agent and its own",
			hub{},
			[]recording.Record{
				begin(""), out("", "a +"), out("", "a 1"), out("", "b +"), in("", "b 2"), out("", "a +kid"), out("", "kid +grandkid"),
				out("", "kid 3"), out("", "grandkid 4"), out("", "all 5"), out("", "kid ."), out("", "kid 6"), end("", 7),
			},
			`1.1 start S1 native="a" resume=false child=false cwd=/w known=[]` + "\n1.1 1\n" +
				`2.1 start S2 native="b" resume=false child=false cwd=/w known=[]` + "\n2.1 sent 2\n" +
				`3<1.1 start S3 native="kid" resume=false child=true cwd=/w known=[]` + "\n" +
				`4<3.1 start S4 native="grandkid" resume=false child=true cwd=/w known=[]` + "\n" +
				"3<1.1 3\n4<3.1 4\n1.1 5\n2.1 5\n3<1.1 5\n4<3.1 5\n3<1.1 exit 0\n1.1 exit 7\n2.1 exit 7\n4<3.1 exit 7\n",
		},
		{
			"a session that goes on, on another connection, while the first still carries it",
			hub{},
			[]recording.Record{
				begin("x"), out("x", "a +"), out("x", "a +kid"), begin("y"), out("y", "a +"), out("x", "a lost"), out("y", "a 1"),
				out("y", "a +kid"), end("x", 0), end("y", 0),
			},
			`1.1 start S1 native="a" resume=false child=false cwd=/w known=[]` + "\n" +
				`2<1.1 start S2 native="kid" resume=false child=true cwd=/w known=[]` + "\n1.1 1\n1.1 exit 0\n2<1.1 exit 0\n",
		},
		{
			"a session's own connection, with a sub-agent",
			hub{own: true},
			[]recording.Record{
				begin(""), out("", "own 1"), out("", "own +kid"), out("", "kid 2"), out("", "other +"), out("", "other 3"), end("", 0),
				begin(""), out("", "own 4"), end("", 0),
			},
			"1.1 start S1 " + fresh + "\n1.1 1\n" + `2<1.1 start S2 native="kid" resume=false child=true cwd=/w known=[]` + "\n2<1.1 2\n" +
				`3.1 start S3 native="other" resume=false child=false cwd=/w known=[]` + "\n3.1 3\n1.1 exit 0\n2<1.1 exit 0\n3.1 exit 0\n" +
				"1.2 start S1 " + fresh + "\n1.2 4\n1.2 exit 0\n",
		},
		{
			"the archive of a session of a shared connection",
			hub{},
			[]recording.Record{
				{Step: recording.Start{Cwd: "/w", Archive: &recording.Archive{NativeSessionID: "N", Resume: true}}},
				out("", "whole line"), end("", 0),
				{Step: recording.Start{Cwd: "/w", Archive: &recording.Archive{NativeSessionID: "M", Child: true}}},
				end("", 0),
			},
			`1.1 start S1 native="N" resume=true child=false cwd=/w known=[]` + "\n1.1 whole line\n1.1 exit 0\n" +
				`1.2 start S1 native="M" resume=false child=true cwd=/w known=[]` + "\n1.2 exit 0\n",
		},
		{"nothing but noise", hub{}, []recording.Record{out("", "early"), begin(""), end("", 0)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, p := tell(c.agent, c.records...)
			if got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			if f := p.Faults(); len(f) > 0 {
				t.Errorf("faults %q", f)
			}
		})
	}
}

// TestFaults: a splitter that breaks its contract is told of, and harms nothing.
func TestFaults(t *testing.T) {
	_, p := tell(hub{}, begin(""), out("", "a +"), out("", "twice x"), out("", "nobody x"), out("", "nobody +kid"), out("", "kid 1"), end("", 0))
	want := []string{"lane 1 begins, want 2", "a part for lane 0, which is not there"}
	if got := p.Faults(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("faults %q, want %q", got, want)
	}
	if n := len(p.Sessions()); n != 2 {
		t.Errorf("%d sessions", n)
	}
}

// TestWritten: what a splitter writes can be looked at.
func TestWritten(t *testing.T) {
	p := replay.New(hub{}, func(*replay.Session) string { return "s" })
	p.Play(begin(""))
	if w := p.Written(); len(w) != 1 || string(w[0]) != "handshake" {
		t.Errorf("written %q", w)
	}
	if p.Play(out("", "a +")); len(p.Written()) != 0 {
		t.Errorf("written %q", p.Written())
	}
}

// TestKnownIsBounded: the newest ids are kept.
func TestKnownIsBounded(t *testing.T) {
	records := []recording.Record{begin(""), out("", "id N")}
	for i := range 3000 {
		records = append(records, out("", fmt.Sprintf("entry %d", i)))
	}
	got, _ := tell(plain{}, append(records, end("", 0), begin(""))...)
	known := got[strings.LastIndex(got, "known=["):]
	if !strings.HasSuffix(known, "\"2999\"]\n") || strings.Count(known, " ") != adapters.MaxKnown-1 {
		t.Errorf("known %s", known)
	}
}
