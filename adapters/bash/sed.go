package bash

import (
	"strings"
	"unicode/utf8"
)

// sedRuns is the last word of a sed that has its program, where that runs commands (the command e, and the flag e of s) or is not understood; 0: it
// runs none. What a file of commands says (-f) is not known.
func sedRuns(words []string) (last int) {
	var program []string
	first, options := 0, true
	note := func(at int, text string) {
		program = append(program, text)
		last = at
	}
	for i := 1; i < len(words); i++ {
		word := words[i]
		switch {
		case options && word == "--":
			options = false
		case options && strings.HasPrefix(word, "--"):
			name, text, with := strings.Cut(word, "=")
			takes := means(name, "--expression")
			if !with && (takes || means(name, "--file") || means(name, "--line-length")) {
				if i++; i < len(words) {
					text = words[i]
				}
			}
			switch {
			case takes:
				note(i, text)
			case means(name, "--file"):
				first = len(words)
			}
		case options && len(word) > 1 && word[0] == '-':
			at := strings.IndexAny(word, "efliI")
			if at < 0 || word[at] == 'i' || word[at] == 'I' { // the rest is a suffix
				continue
			}
			text := word[at+1:]
			if text == "" && i+1 < len(words) {
				i++
				text = words[i]
			}
			switch word[at] {
			case 'e':
				note(i, text)
			case 'f':
				first = len(words)
			}
		case first == 0:
			first = i
		}
	}
	if len(program) == 0 && first > 0 && first < len(words) {
		note(first, words[first])
	}
	if s := (sedProgram{strings.Join(program, "\n")}); s.harmless() {
		return 0
	}
	return last
}

// means says that a long option is another one, or a beginning of it, as programs of GNU's take it.
func means(word, option string) bool { return len(word) > len("--") && strings.HasPrefix(option, word) }

// sedProgram is what is left to read of a program.
type sedProgram struct{ text string }

// harmless reads the program as GNU sed does, and says that it is understood and runs nothing.
func (s *sedProgram) harmless() bool {
	for {
		s.text = strings.TrimLeft(s.text, " \t\n;}")
		if s.text == "" {
			return true
		}
		if !s.addresses() {
			return false
		}
		if s.text == "" {
			return false
		}
		command := s.text[0]
		s.text = s.text[1:]
		switch command {
		case '{', '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
		case 'l', 'q', 'Q', 'L':
			s.text = strings.TrimLeft(s.text, " \t0123456789")
		case '#', 'r', 'R', 'w', 'W':
			s.line()
		case 'a', 'i', 'c':
			for s.line() { // continued behind a backslash
			}
		case ':', 'b', 't', 'T':
			s.text = strings.TrimLeft(s.text, " \t")
			s.text = s.text[len(s.text)-len(strings.TrimLeftFunc(s.text, inLabel)):]
		case 's', 'y':
			if !s.pair(command == 's') {
				return false
			}
		default:
			return false
		}
	}
}

// line goes to the next line; more says that a backslash continues this one.
func (s *sedProgram) line() (more bool) {
	line, rest, _ := strings.Cut(s.text, "\n")
	s.text = rest
	slashes := len(line) - len(strings.TrimRight(line, `\`))
	return slashes%2 == 1 && rest != ""
}

// addresses goes past those of a command.
func (s *sedProgram) addresses() bool {
	for {
		switch c := s.text[0]; {
		case strings.IndexByte("0123456789$,~+! \t", c) >= 0:
			s.text = s.text[1:]
		case c == '/' || c == '\\':
			s.text = strings.TrimPrefix(s.text, `\`)
			delimiter, size := utf8.DecodeRuneInString(s.text)
			s.text = s.text[size:]
			if !s.part(delimiter, true) {
				return false
			}
			s.text = strings.TrimLeft(s.text, "IM")
		default:
			return true
		}
		if s.text == "" {
			return true
		}
	}
}

// pair goes past what stands behind s and y.
func (s *sedProgram) pair(substitutes bool) bool {
	delimiter, size := utf8.DecodeRuneInString(s.text)
	s.text = s.text[size:]
	if !s.part(delimiter, substitutes) || !s.part(delimiter, false) {
		return false
	}
	if substitutes {
		s.text = strings.TrimLeft(s.text, "gpiImM0123456789")
		if strings.HasPrefix(s.text, "w") {
			s.line()
			return true
		}
	}
	return s.text == "" || strings.ContainsRune(" \t\n;}#", rune(s.text[0]))
}

func inLabel(r rune) bool { return !strings.ContainsRune(" \t\n;}", r) }

// part goes past the next delimiter.
func (s *sedProgram) part(delimiter rune, pattern bool) bool {
	if delimiter == '\\' || delimiter == '\n' || delimiter == utf8.RuneError {
		return false
	}
	for s.text != "" {
		c, size := utf8.DecodeRuneInString(s.text)
		s.text = s.text[size:]
		switch {
		case c == delimiter:
			return true
		case c == '\\':
			_, size = utf8.DecodeRuneInString(s.text)
			s.text = s.text[size:]
		case c == '[' && pattern:
			if !s.brackets(delimiter) {
				return false
			}
		}
	}
	return false
}

// brackets goes past a list of characters. The delimiter in it ends the pattern for some builds of sed and not for others: that is not understood.
func (s *sedProgram) brackets(delimiter rune) bool {
	list := strings.TrimPrefix(s.text, "^")
	for at := 0; at < len(list); {
		c, size := utf8.DecodeRuneInString(list[at:])
		at += size
		switch {
		case c == delimiter, c == '\\' && at < len(list) && strings.ContainsRune(`[]`+string(delimiter), rune(list[at])):
			return false
		case c == ']' && at > size: // in the first place it is a character
			s.text = list[at:]
			return true
		case c == '[' && strings.HasPrefix(list[at:], ":"):
			name, _, _ := strings.Cut(list[at+1:], ":]")
			if strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") != "" {
				return false
			}
			at += len(":" + name + ":]")
		case c == '[' && at < len(list) && (list[at] == '.' || list[at] == '='):
			return false
		}
	}
	return false
}
