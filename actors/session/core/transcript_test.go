package core

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// TestTranscripts plays the files of testdata/transcripts: lines of inputs, each followed by what the core says to it. Events are shown with their
// seq, effects behind ">", answers behind "=". A line that begins with "#" says what the file is about; "given ready" and "given a turn" play what
// comes before without showing it (givens). -update writes the files anew.
// Proves: I12/layers, I13.11/unpriced, I15.1/restored
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(want))
			if bytes.Equal(got, want) {
				return
			}
			if *update {
				err = os.WriteFile(file, got, 0o600)
			} else {
				err = errors.New(firstDifference(string(got), string(want)))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d: got\n%s\nwant\n%s", i+1, g[i], strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}

// script plays one file.
type script struct {
	t     *testing.T
	out   bytes.Buffer
	core  *State
	audit *audit.Log
	log   []protocol.Event
	now   int64

	shadow      shadow
	limits      Limits
	incarnation uint32 // that was asked for last
	batch       uint64
	silent      bool // nothing is shown: the line is "given"
}

// play gives the file as it should be: its inputs, and what the core says now.
func play(t *testing.T, text string) []byte {
	s := &script{t: t, audit: audit.New(), now: 1_000_000, limits: *testLimits()}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		switch {
		case line == "":
			s.out.WriteByte('\n')
		case strings.HasPrefix(line, "#"):
			fmt.Fprintln(&s.out, line)
		case strings.HasPrefix(line, " "): // what was said the last time
		default:
			fmt.Fprintln(&s.out, line)
			s.command(line)
		}
	}
	s.shadow.compare(s.t)
	return s.out.Bytes()
}

// step gives the core an input and shows what it says.
func (s *script) step(in Input) {
	stub(in)
	events, effects := s.core.Step(s.now, s.now, in)
	for i := range events {
		e := events[i]
		s.log = append(s.log, e)
		s.show("%d %s", e.Seq, shown(&e))
		if err := s.audit.Take(&e); err != nil {
			s.t.Errorf("%T: %v", in, err)
		}
	}
	s.shadow.step(s.t, s.core, in, events)
	for _, e := range effects {
		if a, ok := e.(Answer); ok {
			s.show("= %s", answerText(a))
			continue
		}
		if illegal, ok := e.(Illegal); ok {
			s.t.Errorf("after %T: %s", in, illegal)
		}
		if start, ok := e.(StartAgent); ok {
			s.incarnation, s.batch = start.Incarnation, 0
		}
		s.show("> %s", effect(e))
	}
	if f := s.core.facts(); s.core.end == nil && s.core.seq > 0 && f.status() != s.core.status {
		s.t.Errorf("after %T the facts say %+v, the log %+v", in, f.status(), s.core.status)
	}
}

// show writes a line of what the core says.
func (s *script) show(format string, args ...any) {
	if !s.silent {
		fmt.Fprintf(&s.out, "    "+format+"\n", args...)
	}
}

// answerText is an answer.
func answerText(a Answer) string {
	if p, ok := errors.AsType[*protocol.Problem](a.Err); ok {
		return fmt.Sprintf("%s: %s %s", p.Code, p.Detail, p.Hint)
	}
	if a.Err != nil {
		return a.Err.Error()
	}
	return strings.TrimPrefix(fmt.Sprintf("%T%+v", a.Value, a.Value), "core.")
}

// shown is an event without its envelope.
func shown(e *protocol.Event) string {
	var rest struct {
		Type string `json:"type"`
	}
	line := protocol.Append(nil, e)
	if err := json.Unmarshal(line, &rest); err != nil {
		return err.Error()
	}
	_, body, _ := bytes.Cut(line, []byte(`"type":"`+rest.Type+`"`))
	body = bytes.TrimSuffix(bytes.TrimPrefix(body, []byte(",")), []byte("}"))
	if st, ok := e.Payload.(*protocol.Status); ok {
		_, body, _ = bytes.Cut(body, []byte(`"agentStatus":"`+st.AgentStatus+`"`))
		return strings.TrimSpace("status " + string(st.State) + " " + strings.TrimPrefix(string(body), ","))
	}
	return strings.TrimSpace(rest.Type + " " + string(body))
}

// effect says what the shell has to do.
func effect(e Effect) string {
	switch e := e.(type) {
	case Tell:
		return "agent: " + command(e.Command)
	case Confirm:
		return fmt.Sprintf(`agent: Confirm {"Number":%d}`, e.Number)
	case StopAgent:
		return fmt.Sprintf(`agent: StopAgent {"Grace":%d}`, e.Grace)
	case EndOrphans:
		return fmt.Sprintf(`agent: EndOrphans {"Turn":%d}`, e.Turn)
	case StartAgent:
		text := fmt.Sprintf("start agent %d", e.Incarnation)
		if e.Delay > 0 {
			text += " after " + e.Delay.String()
		}
		for _, f := range []struct {
			word string
			is   bool
		}{{"resume " + e.Spec.NativeSessionID, e.Spec.Resume}, {"recall", e.Spec.Recall}, {"child", e.Spec.Child}, {"model " + e.Spec.Model, e.Spec.Model != ""}, {"mode " + e.Spec.Mode, e.Spec.Mode != ""}} {
			if f.is {
				text += ", " + f.word
			}
		}
		return text
	case WatchStall:
		return "look at a silent agent after " + e.After.String()
	case WatchRequest:
		return "look at request " + e.RequestID + " after " + e.After.String()
	case ToRoot:
		return fmt.Sprintf("root: %s", plainly(e.Message))
	case ToSession:
		return fmt.Sprintf("session %s: %s", e.ID, plainly(e.Message))
	default:
		return plainly(e)
	}
}

func command(c adapters.Command) string {
	if p, ok := c.(adapters.Prompt); ok {
		text := fmt.Sprintf("prompt %s %q", p.ID, p.Text)
		if p.Steer {
			text += " to steer"
		}
		return text
	}
	return plainly(c)
}

// plainly is a struct's name, and its members as JSON where it has some.
func plainly(v any) string {
	name := strings.TrimLeft(fmt.Sprintf("%T", v), "*")
	name = name[strings.LastIndexByte(name, '.')+1:]
	body, err := json.Marshal(v)
	if err != nil || string(body) == "{}" {
		return name
	}
	return name + " " + string(body)
}
