package core

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

var update = flag.Bool("update", false, "write what is decided into the transcripts")

// TestTranscripts runs what is written in testdata/transcripts: an input in each line, and below it the effects. "restart" is a daemon that ends at once
// and another that reads the lines which were written, "anew" one that reads a file which was written anew.
//
// Proves: I13.10/core
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

// stage is a state and its file.
type stage struct {
	t *testing.T
	*State
	now   time.Time
	lines []string
}

func play(t *testing.T, script string) string {
	s := &stage{t: t, State: New(Usual), now: time.UnixMilli(1_000_000)}
	var out strings.Builder
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "    ") {
			continue
		}
		out.WriteString(line)
		if words := strings.Fields(line); len(words) > 0 && words[0] != "#" {
			for _, e := range s.input(words) {
				out.WriteString("    " + e + "\n")
			}
		}
	}
	return out.String()
}

// options are the words KEY=VALUE.
func options(words []string) map[string]string {
	all := map[string]string{}
	for _, w := range words {
		k, v, _ := strings.Cut(w, "=")
		all[k] = v
	}
	return all
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

func (s *stage) number(word string) int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil && word != "" {
		s.t.Fatal(err)
	}
	return n
}

func (s *stage) cursor(word string) protocol.Cursor {
	c, err := protocol.ParseCursor(word)
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

func (s *stage) input(words []string) []string {
	o := options(words[1:])
	switch words[0] {
	case "limits":
		s.limits = Limits{int(s.number(o["under"])), int(s.number(o["made"])), int(s.number(o["queue"])), int(s.number(o["dead"])), 2}
	case "hook": // ID there=SESSION:CURSOR:FLAGS
		w := &Webhook{ID: words[1], Holder: "ann", URL: "https://r/", Secret: "s", DelayMs: s.number(o["delay"]), Kinds: notice.Kinds()}
		if o["kinds"] != "" {
			w.Kinds = nil
			for _, k := range list(o["kinds"]) {
				w.Kinds = append(w.Kinds, notice.Kind(k))
			}
		}
		var there []Standing
		for _, x := range list(o["there"]) {
			parts := strings.Split(x, ":")
			there = append(there, Standing{parts[0], s.cursor(parts[1]), strings.Contains(parts[2], "e"), strings.Contains(parts[2], "m")})
		}
		return s.say([]Effect{&Save{s.Add(w, there)}})
	case "saw":
		told := s.cursor(o["at"])
		in := &Saw{About: notice.About{SessionID: words[1], Agent: "pi"}, Newest: told, Told: told.Seq, Open: list(o["open"]), Matches: list(o["match"])}
		if o["told"] != "" {
			in.Told = uint64(s.number(o["told"]))
		}
		_, in.Gone = o["gone"]
		in.Ended = protocol.EndReason(o["reason"])
		return s.say(s.Step(s.now, in))
	case "listed":
		return s.listed(words[1:], o)
	case "left":
		return s.say(s.Step(s.now, &Left{words[1]}))
	case "scanned":
		return s.say(s.Step(s.now, s.scanning(words[1], o)))
	case "answered": // HOOK ID STATUS
		in := &Answered{Hook: words[1], ID: words[2], Status: int(s.number(words[3])), RetryAfter: s.number(o["retry"])}
		if in.Status < 200 || in.Status > 299 {
			in.Error = "status"
		}
		return s.say(s.Step(s.now, in))
	case "later": // DURATION, and what is due meanwhile
		d, err := time.ParseDuration(words[1])
		if err != nil {
			s.t.Fatal(err)
		}
		until := s.now.Add(d)
		var said []string
		for next := s.Next(); next > 0 && next <= until.UnixMilli(); next = s.Next() {
			s.now = time.UnixMilli(max(next, s.now.UnixMilli()))
			said = append(said, s.say(s.Step(s.now, &Tick{}))...)
		}
		s.now = until
		return said
	case "off", "on", "delay":
		v, _ := s.View(words[1])
		v.Webhook.Off = words[0] == "off"
		if words[0] == "on" {
			v.Webhook.Disabled = ""
		}
		line, effects, _ := s.Change(s.now, &v.Webhook)
		return s.say(append([]Effect{&Save{line}}, effects...))
	case "remove":
		line, _ := s.Remove(words[1])
		return s.say([]Effect{&Save{line}})
	case "send": // HOOK ID
		effects, ok := s.Send(s.now, words[1], words[2])
		return append(s.say(effects), fmt.Sprint("= ", ok))
	case "senddead":
		n, effects, _ := s.SendDead(s.now, words[1])
		return append(s.say(effects), fmt.Sprint("= ", n))
	case "show":
		return s.show(words[1])
	case "restart", "anew":
		return s.restart(words[0] == "anew")
	default:
		s.t.Fatalf("what is %q?", words)
	}
	return nil
}

// scanning reads from=POSITION at=POSITION end=CURSOR found=POSITION/CURSOR/KIND[/REQUEST],… missed=POSITION ended=BOOL
func (s *stage) scanning(session string, o map[string]string) *Scanned {
	in := &Scanned{Session: session}
	_, in.Failed = o["failed"]
	in.From, _ = parse(o["from"])
	in.At, _ = parse(o["at"])
	if o["end"] != "" {
		c := s.cursor(o["end"])
		in.End = &c
	}
	if o["ended"] != "" {
		ended := o["ended"] == "yes"
		in.Ended = &ended
	}
	if m, ok := parse(o["missed"]); ok {
		in.Missed = &Missed{To: m, From: "from", Up: "to"}
	}
	for _, x := range list(o["found"]) {
		parts := strings.Split(x, "/")
		at, _ := parse(parts[0])
		f := Found{At: at, Cursor: parts[1], Time: s.now.UnixMilli(), Kind: notice.Kind(parts[2])}
		if len(parts) > 3 {
			f.What = notice.Request{RequestID: parts[3]}
		}
		in.Found = append(in.Found, f)
	}
	return in
}

// listed reads the ids of the sessions that there are, and shelved=SESSION,… It says where that is needed.
func (s *stage) listed(words []string, o map[string]string) []string {
	in := &Listed{There: map[string]struct{}{}}
	for _, word := range words {
		if !strings.Contains(word, "=") {
			in.There[word] = struct{}{}
		}
	}
	var said []string
	if shelved, given := o["shelved"]; given {
		in.Shelved = map[string]struct{}{}
		for _, id := range list(shelved) {
			in.Shelved[id] = struct{}{}
		}
		said = append(said, fmt.Sprint("= doubts ", s.Doubts(in.There)))
	}
	return append(said, s.say(s.Step(s.now, in))...)
}

// restart reads the file, as a later daemon does.
func (s *stage) restart(anew bool) (said []string) {
	limits := s.limits
	if anew {
		s.lines = nil
		for _, l := range s.Lines() {
			s.write(&l)
		}
	}
	s.State = New(limits)
	for _, text := range s.lines {
		var l Line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			s.t.Fatal(err)
		}
		if !s.Read(&l) {
			said = append(said, "! "+text)
		}
	}
	return append(said, s.say(s.Begin(s.now))...)
}

func (s *stage) show(hook string) (said []string) {
	v, ok := s.View(hook)
	if !ok {
		return []string{"= none"}
	}
	said = append(said, fmt.Sprintf("= pending %d, dead %d, lost %d, sent %d %s", v.Pending, v.Dead, v.Lost, v.Sent, v.Disabled))
	for which, name := range []string{"pending", "done", "dead"} {
		for _, d := range s.Deliveries(hook, Kept(which), 10) {
			said = append(said, fmt.Sprintf("= %s %s tries %d", name, d.ID, d.Tries))
		}
	}
	return said
}

func (s *stage) write(l *Line) string {
	text, err := json.Marshal(l)
	if err != nil {
		s.t.Fatal(err)
	}
	s.lines = append(s.lines, string(text))
	return string(text)
}

func (s *stage) say(effects []Effect) (said []string) {
	for _, e := range effects {
		switch e := e.(type) {
		case *Save:
			s.write(&e.Line)
			l := &e.Line
			text := fmt.Sprintf("> save %s %s", l.Is, l.Hook)
			for _, word := range []string{l.Session, l.At, l.ID} {
				if word != "" {
					text += " " + word
				}
			}
			if l.Of != nil {
				text += fmt.Sprintf(" %s tries %d", l.Of.ID, l.Of.Tries)
				if l.Of.Next > 0 {
					text += " next in " + (time.Duration(l.Of.Next-s.now.UnixMilli()) * time.Millisecond).String()
				}
			}
			if l.Ended {
				text += " ended"
			}
			if l.Apart {
				text += " unmatched"
			}
			if l.Away {
				text += " away"
			}
			said = append(said, text)
		case *Scan:
			said = append(said, fmt.Sprintf("> scan %s %s", e.Session, e.From))
		case *Try:
			said = append(said, fmt.Sprintf("> try %s %s %d", e.Hook, e.ID, len(e.Secrets)))
		case *Tell:
			said = append(said, strings.TrimRight(fmt.Sprintf("> tell %s %s %s %s", e.Hook, e.What, e.Kind, e.Error), " "))
		}
	}
	return said
}
