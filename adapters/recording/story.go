package recording

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// teller turns records into steps: it sees to it that incarnations begin and end.
type teller struct {
	yield func(Record, error) bool
	over  bool // nobody listens any more
	line  int
	last  Record

	spawned *Record  // a process began, and no connection to it yet
	live    []string // connections that are open
	starts  int
	asked   bool // the end was asked for
	stderr  []string
	streams streams
	away    []lostConn        // connections that were lost, of live: a later one may be what they became
	became  map[string]string // labels of later ones
}

// maxStderr is how many lines of standard error an Exit shows.
const maxStderr = 20

func (t *teller) tell(w wire) {
	w.Conn = t.label(w.Conn)
	t.last = Record{At: w.at(), Conn: w.Conn}
	switch w.Dir {
	case "out":
		t.emit(w.Conn, Out{Line: w.native()})
	case "sse":
		t.event(&w)
	case "in":
		t.emit(w.Conn, In{Line: w.native()})
	case "http":
		t.http(&w)
	case "err":
		s, ok := w.text()
		if !ok {
			s = string(w.native())
		}
		if t.stderr = append(t.stderr, s); len(t.stderr) > maxStderr {
			t.stderr = t.stderr[1:]
		}
		t.emit(w.Conn, Stderr{Line: s})
	case "meta":
		t.meta(&w)
	case "note":
		t.note(&w)
	}
}

// meta takes what is said about process and connection in members.
func (t *teller) meta(w *wire) {
	var d struct {
		Event  string   `json:"event"`
		Argv   []string `json:"argv"`
		Cwd    string   `json:"cwd"`
		Status string   `json:"status"`
		Signal string   `json:"signal"`
		Conn   string   `json:"connection"`
		Why    string   `json:"why"`
		Archive
	}
	if json.Unmarshal(w.Data, &d) != nil {
		t.bad("no meta record")
		return
	}
	switch d.Event {
	case "spawn":
		if len(d.Argv) > 0 {
			d.Argv = d.Argv[1:]
		}
		start := Start{Args: d.Argv, Cwd: d.Cwd}
		if w.Incarnation > 0 {
			start.Archive = &d.Archive
		}
		t.spawn(start)
	case "stdin_closed":
		t.asked = true
	case "signal":
		t.asked = t.asked || d.Signal != "killed"
	case "exit":
		t.exit(status(d.Status))
	case "disconnect":
		t.lose(d.Conn, d.Why)
	case "connect":
		t.say(Note{Text: d.Event})
		t.comeBack(d.Conn)
	default:
		t.say(Note{Text: d.Event})
	}
}

var (
	startedNote = regexp.MustCompile(`^(?:started|server up): (.*?) \(cwd ([^)]*)\)`)
	endedNote   = regexp.MustCompile(`^(?:server )?process ended: (.*)$`)
)

// note takes the same in words.
func (t *teller) note(w *wire) {
	s, ok := w.text()
	if !ok {
		t.say(Note{Text: string(w.native())})
		return
	}
	if m := startedNote.FindStringSubmatch(s); m != nil {
		_, args, _ := strings.Cut(m[1], " ")
		t.spawn(Start{Args: strings.Fields(args), Cwd: m[2]})
		return
	}
	if m := endedNote.FindStringSubmatch(s); m != nil {
		t.exit(status(m[1]))
		return
	}
	if t.streamNote(w, s) {
		return
	}
	if s == "harness: close stdin" || strings.HasPrefix(s, "harness: send SIGTERM") {
		t.asked = true
	}
	t.say(Note{Text: s})
}

// status reads "exit 0", "exit status 143" or "signal: killed".
func status(s string) adapters.Exit {
	if signal, ok := strings.CutPrefix(s, "signal: "); ok {
		return adapters.Exit{Code: -1, Signal: signal}
	}
	words := strings.Fields(s)
	if len(words) > 0 {
		if code, err := strconv.Atoi(words[len(words)-1]); err == nil {
			return adapters.Exit{Code: code}
		}
	}
	return adapters.Exit{Code: -1, Error: s}
}

// spawn notes that a process began. The connection to it begins with its first line, which may carry a label.
func (t *teller) spawn(s Start) {
	if t.spawned != nil || len(t.live) > 0 {
		t.exit(adapters.Exit{Code: -1, Error: "no end was recorded"})
	}
	t.asked, t.stderr, t.became = false, nil, nil
	r := t.last
	r.Line, r.Step = t.line, s
	t.spawned = &r
}

// open begins a connection, if it has not begun.
func (t *teller) open(conn string) {
	if slices.Contains(t.live, conn) {
		return
	}
	r := Record{At: t.last.At, Line: t.line, Step: Start{}}
	if t.spawned != nil {
		r, t.spawned = *t.spawned, nil
	}
	start, _ := r.Step.(Start)
	start.Resume = t.starts > 0
	r.Conn, r.Step = conn, start
	t.starts++
	t.live = append(t.live, conn)
	t.give(r)
}

// exit ends the process, and with it all connections to it.
func (t *teller) exit(e adapters.Exit) {
	if t.spawned != nil {
		t.open("") // it never said a word
	}
	for len(t.live) > 0 {
		t.close(t.live[0], e)
	}
}

// close ends one connection.
func (t *teller) close(conn string, e adapters.Exit) {
	i := slices.Index(t.live, conn)
	if i < 0 {
		return
	}
	t.live = slices.Delete(t.live, i, i+1)
	t.found(conn)
	t.streams.forget(conn)
	e.Requested = t.asked
	e.Stderr = t.stderr
	t.last.Conn = conn
	t.say(Exit{Exit: e})
}

// emit gives a step that needs a running agent.
func (t *teller) emit(conn string, s Step) {
	if t.isAway(conn) {
		t.comeBack(conn)
	}
	t.open(conn)
	t.last.Conn = conn
	t.say(s)
}

// say gives a step as it is.
func (t *teller) say(s Step) {
	t.last.Line, t.last.Step = t.line, s
	t.give(t.last)
}

func (t *teller) give(r Record) {
	if !t.over {
		t.over = !t.yield(r, nil)
	}
}

// bad reports a line that cannot be read.
func (t *teller) bad(problem string) {
	if !t.over {
		t.over = !t.yield(Record{At: t.last.At, Line: t.line}, &Error{Line: t.line, Problem: problem})
	}
}

// fail reports that no more can be read.
func (t *teller) fail(err error) {
	if !t.over {
		t.over = !t.yield(Record{At: t.last.At, Line: t.line}, err)
	}
}

func (t *teller) end() {
	if t.spawned != nil || len(t.live) > 0 {
		t.asked = true
		t.exit(adapters.Exit{})
	}
}
