package fake

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Script is what a program does.
type Script struct {
	Version string
	Listens string // what it says before its address; empty: it speaks over its standard streams
	rules   []rule
	parts   []part
}

// part is what it does from one start on.
type part struct {
	line  int
	serve bool
	args  []string
	acts  []act
}

// act is one line of a part.
type act struct {
	line int
	kind kind
	want any    // read: a pattern
	text string // write, half, stderr
	wait time.Duration
	end  End
}

type kind int

const (
	read kind = iota
	write
	half
	stderr
	wait
	cut
	end
)

// rule answers a line whenever it comes.
type rule struct {
	want  any
	reply []string
}

// End is how a program ends.
type End struct {
	Code   int
	Signal syscall.Signal // 0: it ended by itself
}

// Parse reads a script in which nothing is used.
func Parse(text string) (*Script, error) {
	p := parser{script: &Script{}}
	for i, line := range strings.Split(text, "\n") {
		keyword, rest := words(line)
		if keyword == "" || strings.HasPrefix(keyword, "#") {
			continue
		}
		if err := p.line(i+1, keyword, rest); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if len(p.script.parts) == 0 {
		return nil, errors.New("the script has no start")
	}
	return p.script, nil
}

// Inline puts the files that a script uses into it.
func Inline(text string, use func(name string) (string, error)) (string, error) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		keyword, name := words(line)
		if keyword != "use" {
			continue
		}
		used, err := use(name)
		if err != nil {
			return "", err
		}
		lines[i] = strings.TrimSuffix(used, "\n")
	}
	return strings.Join(lines, "\n"), nil
}

func words(line string) (keyword, rest string) {
	keyword, rest, _ = strings.Cut(strings.TrimRight(line, " \t\r"), " ")
	return keyword, rest
}

type parser struct {
	script *Script
	always bool
}

func (p *parser) line(n int, keyword, rest string) error {
	s := p.script
	switch keyword {
	case "version":
		s.Version = rest
	case "listens":
		s.Listens = rest
	case "always":
		p.always = true
	case "start", "serve":
		p.always = false
		s.parts = append(s.parts, part{line: n, serve: keyword == "serve", args: strings.Fields(rest)})
	default:
		a, err := parseAct(n, keyword, rest)
		if err != nil {
			return err
		}
		return p.add(a)
	}
	return nil
}

func (p *parser) add(a act) error {
	s := p.script
	switch {
	case p.always && a.kind == read:
		s.rules = append(s.rules, rule{want: a.want})
	case p.always && a.kind == write && len(s.rules) > 0:
		r := &s.rules[len(s.rules)-1]
		r.reply = append(r.reply, a.text)
	case p.always:
		return errors.New("a rule is a < and the > behind it")
	case len(s.parts) == 0:
		return errors.New("before the first start stand rules")
	default:
		last := &s.parts[len(s.parts)-1]
		if n := len(last.acts); n > 0 && last.acts[n-1].kind == end {
			return errors.New("behind an exit stands a start")
		}
		last.acts = append(last.acts, a)
	}
	return nil
}

func parseAct(n int, keyword, rest string) (a act, err error) {
	a = act{line: n, text: rest}
	switch keyword {
	case "<":
		a.kind = read
		err = json.Unmarshal([]byte(rest), &a.want)
	case ">":
		a.kind = write
	case ">|":
		a.kind = half
	case "err":
		a.kind = stderr
	case "wait":
		a.kind = wait
		a.wait, err = time.ParseDuration(rest)
	case "cut":
		a.kind = cut
	case "exit":
		a.kind = end
		a.end, err = ParseEnd(rest)
	default:
		err = fmt.Errorf("unknown keyword %q; there are version, listens, use, always, start, serve, <, >, >|, err, wait, cut, exit", keyword)
	}
	return a, err
}

var signals = map[string]syscall.Signal{"KILL": syscall.SIGKILL, "TERM": syscall.SIGTERM, "SEGV": syscall.SIGSEGV, "ABRT": syscall.SIGABRT}

// ParseEnd reads a status or the name of a signal.
func ParseEnd(how string) (End, error) {
	if code, err := strconv.Atoi(how); err == nil && code >= 0 {
		return End{Code: code}, nil
	}
	if sig, ok := signals[strings.ToUpper(how)]; ok {
		return End{Code: -1, Signal: sig}, nil
	}
	return End{}, fmt.Errorf("exit takes a status, KILL, TERM, SEGV or ABRT, not %q", how)
}

// Attached is the script without the starts of the program by the daemon.
func (s *Script) Attached() *Script {
	attached := *s
	attached.parts = slices.DeleteFunc(slices.Clone(s.parts), func(p part) bool { return !p.serve })
	return &attached
}
