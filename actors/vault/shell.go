package vault

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/bash"
)

// maxDepth bounds commands in the words of commands: bash -c "…".
const maxDepth = 6

// plain are commands to which a folder is a word, and which do not look into it; of ls only without -R.
var plain = []string{
	"cd", "pushd", "popd", "echo", "printf", "test", "[", "[[", "stat", "mkdir", "pwd", "tr", "cut", "awk", "gawk", "sort", "paste", "basename", "dirname",
	"realpath", "readlink", "expr", "export", "which", "type", "ls", "sed",
}

// deep are commands that go through the folder in which they run when they are given none.
var deep = []string{"find", "rg", "ag", "ack", "fd", "fdfind", "du", "tree"}

// run says whether a command line touches the folder.
func (s *sight) run(cwd, line string) bool {
	c := &scan{sight: s, bases: []string{cwd}}
	c.line(line, 0)
	return c.touched
}

// scan is the reading of one command line. Nothing is skipped that a shell might run: of what it does not understand it takes every word.
type scan struct {
	*sight
	bases   []string // where its commands may run
	touched bool
}

func (s *scan) line(text string, depth int) {
	if s.left -= len(text) / 1000; depth > maxDepth || s.left < 0 {
		s.touched = true
		return
	}
	commands, ok := bash.Words(text, s.value)
	switch {
	case ok && depth > 0 && len(commands) == 1 && len(commands[0]) == 1 && commands[0][0] == text:
		return // nothing is left to resolve, and the word was judged
	case !ok && depth == 0:
		s.touched = true
	case !ok: // a word of another language
		for _, reading := range []string{text, unquoted.Replace(text), expansion.ReplaceAllString(text, string(unknown))} {
			commands = append(commands, fields(reading))
		}
		for _, words := range commands {
			for i, word := range words {
				words[i] = patternOf(word, s.home)
			}
		}
	}
	for _, command := range commands {
		s.command(command, depth)
	}
}

// Of other languages: what they put the value of a variable for, and how a word is written without its quotes.
var (
	expansion = regexp.MustCompile(`\$?\{[^{}]*\}|\$\w+`)
	unquoted  = strings.NewReplacer(`\`, "", `"`, "", "'", "")
)

// value is that of a variable which names a folder.
func (s *scan) value(name string) string {
	switch name {
	case "HOME":
		return s.home
	case "PWD":
		return s.bases[0]
	case "XDG_STATE_HOME", "TMPDIR", "XDG_RUNTIME_DIR":
		return os.Getenv(name)
	}
	return ""
}

// command judges one simple command by its words.
func (s *scan) command(words []string, depth int) {
	name, recursive := "", false
	for i, w := range words {
		if name == "" && !strings.Contains(w, "=") {
			name = filepath.Base(w)
		}
		short := len(w) > 1 && w[0] == '-' && w[1] != '-'
		recursive = recursive || short && strings.ContainsAny(w, "rR") || w == "--recursive"
		if strings.ContainsAny(w, " \t\n;|&<>$`") {
			s.line(w, depth+1)
		}
		if i > 0 && (name == "cd" || name == "pushd" || words[i-1] == "-C" || words[i-1] == "--chdir") {
			s.moveTo(w)
		}
	}
	for _, w := range words {
		for _, part := range parts(w) {
			in, above := s.reaches(s.bases, part)
			if in || above && (!slices.Contains(plain, name) || name == "ls" && recursive) {
				s.touched = true
			}
		}
	}
	if slices.Contains(deep, name) || recursive && (name == "grep" || name == "ls") || name == "ringmaster" {
		// Its own program finds the data folder, and its token, by itself.
		s.touched = s.touched || name == "ringmaster" || slices.ContainsFunc(s.bases, func(b string) bool { return s.below(resolve(b)) })
	}
}

// moveTo notes a folder into which a command goes.
func (s *scan) moveTo(word string) {
	if len(s.bases) > 16 {
		s.touched = true
		return
	}
	for _, base := range slices.Clone(s.bases) {
		path := word
		if !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, string(unknown)) {
			path = base + "/" + path
		}
		if !slices.Contains(s.bases, path) {
			s.bases = append(s.bases, path)
		}
	}
}

// parts are what of a word may be a path: --file=PATH, @PATH, HOST:PATH.
func parts(word string) []string {
	list := []string{word}
	for i, r := range word {
		if strings.ContainsRune("=:@,", r) && !strings.HasPrefix(word[i+1:], "//") {
			list = append(list, word[i+1:])
			if head := word[:i]; strings.Contains(head, "/") {
				list = append(list, head)
			}
		}
	}
	if len(word) > 2 && word[0] == '-' { // -I/path
		list = append(list, word[2:])
	}
	return list
}
