package core

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write what the register does into the transcripts")

// TestTranscripts runs what is written in testdata/transcripts: an input in each line, and below it the effects. "restart" is a daemon that ends at once and another
// that reads the lines which were written; what was on its way then is lost with "restart lost".
//
// Proves: I13.4/register
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "transcripts", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(want))
			switch {
			case *update:
				err = os.WriteFile(name, []byte(got), 0o600)
			case !bytes.Equal(want, []byte(got)):
				err = fmt.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// stage is a register and its file.
type stage struct {
	limits Limits
	*Register
	now    time.Time
	ticket uint64
	lines  []Line // in the file
	moving []Line // on the way there
}

func play(t *testing.T, script string) string {
	s := &stage{limits: Limits{Each: 10, All: 20, Bytes: 1000, Body: 100, Keep: 24 * time.Hour}, now: time.UnixMilli(0)}
	s.Register = New(s.limits)
	var out strings.Builder
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "    ") {
			continue
		}
		out.WriteString(line)
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			for _, e := range s.input(t, words) {
				out.WriteString("    " + e + "\n")
			}
		}
	}
	return out.String()
}

func number(t *testing.T, word string) int {
	n, err := strconv.Atoi(word)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (s *stage) input(t *testing.T, words []string) (said []string) {
	switch words[0] {
	case "limits": // EACH ALL BYTES BODY
		s.limits.Each, s.limits.All, s.limits.Bytes, s.limits.Body = number(t, words[1]), number(t, words[2]), number(t, words[3]), number(t, words[4])
		s.Register = New(s.limits)
	case "later": // HOURS
		s.now = s.now.Add(time.Duration(number(t, words[1])) * time.Hour)
	case "submit": // BY KEY CONTENT
		s.ticket++
		return s.step(&Submit{s.ticket, Submission{Key{words[1], words[2]}, "end", "s", words[3], "/sessions/s"}, s.now})
	case "stored", "fails": // the first line on its way
		l := s.moving[0]
		s.moving = s.moving[1:]
		var err error
		if words[0] == "fails" {
			err = errors.New("no space")
		} else {
			s.lines = append(s.lines, l)
		}
		if l.Is == Freed {
			return nil
		}
		return s.step(&Stored{l.N, err})
	case "done": // N STATUS BODY, and secret
		return s.step(&Ended{uint64(number(t, words[1])), Done, Answer{Status: number(t, words[2]), Body: words[3], Secret: len(words) > 4}})
	case "refused": // N STATUS
		return s.step(&Ended{uint64(number(t, words[1])), Refused, Answer{Status: number(t, words[2])}})
	case "unsure": // N
		return s.step(&Ended{N: uint64(number(t, words[1])), Outcome: Unsure})
	case "removed": // SESSION
		return s.step(&Removed{words[1]})
	case "left": // TICKET N
		return s.step(&Left{uint64(number(t, words[1])), uint64(number(t, words[2]))})
	case "restart", "anew": // from the lines that were written, or from a file that was written anew
		if words[0] == "anew" {
			s.lines = s.Lines()
		}
		s.moving = nil
		s.Register = New(s.limits)
		for i := range s.lines {
			s.Read(&s.lines[i])
		}
		return []string{fmt.Sprintf("knows %d", len(s.known))}
	default:
		t.Fatalf("what is %q?", words)
	}
	return said
}

var kinds = []string{"own", "repeated", "conflict", "uncertain", "forgotten", "unkept", "full"}

func (s *stage) step(in Input) (said []string) {
	for _, e := range s.Step(in) {
		switch e := e.(type) {
		case *Write:
			s.moving = append(s.moving, e.Line)
			said = append(said, fmt.Sprintf("> write %s %d", e.Line.Is, e.Line.N))
			if e.Line.Body != "" || e.Line.Unkept {
				said[len(said)-1] += fmt.Sprintf(" %d %s unkept=%v", e.Line.Status, e.Line.Body, e.Line.Unkept)
			}
		case *Rewrite:
			said = append(said, "> write the file anew")
		case *Run:
			said = append(said, fmt.Sprintf("> run %d, ticket %d", e.N, e.Ticket))
		case *Wait:
			said = append(said, fmt.Sprintf("> ticket %d waits for %d", e.Ticket, e.N))
		case *Tell:
			v := e.Verdict
			said = append(said, strings.TrimRight(fmt.Sprintf("= %d %s %d %s%s", e.Ticket, kinds[v.Kind], v.Answer.Status+v.Status, v.Answer.Body, v.LookAt), " "))
		}
	}
	return slices.Clip(said)
}
