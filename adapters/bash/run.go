package bash

import (
	"slices"
	"strings"
)

// add notes a command. One that is called by its path is noted by its name as well.
func (r *reader) add(words []string) {
	for _, word := range words {
		r.bytes += len(word) + 1
	}
	if r.full() {
		r.blind()
		return
	}
	run := Run(strings.Join(words, string(Between)))
	if r.hinted {
		r.line.Hints = append(r.line.Hints, run)
	} else {
		r.line.Runs = append(r.line.Runs, run)
	}
}

func (r *reader) full() bool {
	return len(r.line.Runs)+len(r.line.Hints) >= maxRuns || r.bytes > maxBytes
}

// run takes a command, and what it runs in its turn.
func (w walker) run(words []string, depth int) {
	if depth >= maxDepth {
		w.blind()
		return
	}
	if words[0] == "--" && len(words) > 1 { // of the shell's own time
		words = words[1:]
	}
	w.add(words)
	name := base(words[0])
	if name != words[0] {
		w.add(append([]string{name}, words[1:]...))
	}
	rest := words[1:]
	if wrap, is := wrappers[name]; is {
		w.wrapped(name, wrap, words, depth)
		return
	}
	switch {
	case dynamic(words[0]):
		w.anywhere(words) // eval, or a wrapper: nobody knows
	case isShell(name):
		w.shell(rest, depth)
	case name == "eval":
		w.text(strings.Join(rest, " "), depth)
	case name == "trap":
		if len(rest) > 0 {
			w.text(rest[0], depth)
		}
	case name == "alias":
		for _, a := range rest {
			if _, value, ok := strings.Cut(a, "="); ok {
				w.text(value, depth)
			}
		}
	case name == "source", name == ".":
		if len(rest) == 0 || dynamic(rest[0]) || strings.HasPrefix(rest[0], "/dev/") || strings.HasPrefix(rest[0], "/proc/") {
			w.blind()
		}
	case name == "find", name == "fd", name == "fdfind":
		w.find(rest, depth)
		w.carries(name, words)
	case foreign(name), slices.Contains(runners, name):
		w.blind()
		w.anywhere(words)
	case slices.Contains(evaluators, name) && len(rest) > 0:
		w.blind()
	case name == "let" && strings.ContainsFunc(strings.Join(rest, ""), func(c rune) bool { return c > '9' || c == Unknown }):
		w.blind()
	case slices.Contains(subscripts, name):
		for _, a := range rest {
			w.evaluated(a)
		}
	default:
		w.carries(name, words)
	}
}

// carries takes what a program's arguments say that it runs. A program of sed's or awk's and the flags of a linker are no texts for a shell: they
// are not followed.
func (w walker) carries(name string, words []string) {
	first, _ := carried(words)
	switch {
	case first == 0:
	case strings.HasSuffix(name, "sed"), strings.HasSuffix(name, "awk"), name == "go" && slices.ContainsFunc(words, linkerRuns.MatchString):
		w.blind()
	default:
		w.anywhere(words[first-1:])
	}
}

// text takes a text that a shell runs.
func (w walker) text(text string, depth int) {
	if dynamic(text) {
		w.blind()
	}
	w.read(literalText(text), depth+1)
}

// anywhere takes every part of a command for one that it may run.
func (w walker) anywhere(words []string) {
	was := w.hinted
	w.hinted = true
	for i := 1; i < len(words); i++ {
		if i > maxNesting {
			w.blind()
			break
		}
		w.add(words[i:])
		w.hint(words[i])
		if _, value, is := strings.Cut(words[i], "="); is {
			w.add(append([]string{value}, words[i+1:]...))
			w.hint(strings.TrimPrefix(value, "!")) // of git's aliases
		}
	}
	w.hinted = was
}

// wrapped takes what a wrapper runs.
func (w walker) wrapped(name string, wrap wrapper, words []string, depth int) {
	at, sure := wrap.command(words)
	if wrap.assigns {
		for _, word := range words[1:max(1, min(len(words), max(at, 1)))] {
			if _, value, ok := strings.Cut(word, "="); ok {
				w.hint(value)
			}
		}
	}
	if !sure {
		w.blind()
		w.anywhere(words)
		return
	}
	if at == 0 {
		return
	}
	command := slices.Clone(words[at:])
	if name == "xargs" {
		for i, word := range command {
			if place := placeholder(words[1:at]); place != "" {
				command[i] = strings.ReplaceAll(word, place, string(Unknown))
			}
		}
		command = append(command, string(Unknown))
	}
	w.run(command, depth+1)
}

// placeholder is what xargs replaces by what it reads; empty: nothing.
func placeholder(options []string) string {
	for i, o := range options {
		switch {
		case o == "-I" && i+1 < len(options):
			return options[i+1]
		case strings.HasPrefix(o, "-I"):
			return o[2:]
		case strings.HasPrefix(o, "--replace="):
			return o[len("--replace="):]
		case o == "-i", o == "--replace":
			return "{}"
		case strings.HasPrefix(o, "-i"):
			return o[2:]
		}
	}
	return ""
}

// shell takes the arguments of a shell: the text behind -c, or what it reads from its input, which is not known.
func (w walker) shell(args []string, depth int) {
	command, input := false, false
	i := 0
	for ; i < len(args); i++ {
		a := args[i]
		if dynamic(a) {
			w.blind()
		}
		if a == "--" || a == "-" {
			i++
			break
		}
		if a == "" || a[0] != '-' && a[0] != '+' {
			break
		}
		if strings.HasPrefix(a, "--") {
			if a == "--rcfile" || a == "--init-file" || a == "--emulate" {
				i++
			}
			continue
		}
		command = command || strings.ContainsRune(a, 'c')
		input = input || strings.ContainsRune(a, 's')
		if strings.HasSuffix(a, "o") || strings.HasSuffix(a, "O") {
			i++
		}
	}
	switch {
	case command && i < len(args):
		w.text(args[i], depth)
	case command: // without a text it fails
	case input, i >= len(args), strings.HasPrefix(args[i], "/dev/"), strings.HasPrefix(args[i], "/proc/"), dynamic(args[i]):
		w.blind()
	}
}

// find takes what it runs for each file.
func (w walker) find(args []string, depth int) {
	for i, a := range args {
		switch a {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "--exec", "-X", "--exec-batch":
		default:
			continue
		}
		if w.full() {
			w.blind()
			return
		}
		var command []string
		for _, word := range args[i+1:] {
			if word == ";" || word == "+" || len(command) > maxRuns {
				break
			}
			command = append(command, strings.ReplaceAll(word, "{}", string(Unknown)))
		}
		if len(command) > 0 {
			w.run(command, depth+1)
		}
	}
}
