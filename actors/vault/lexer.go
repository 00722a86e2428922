package vault

import (
	"os"
	"slices"
	"strconv"
	"strings"
)

// lexer splits a command line into commands and these into words, with quotes resolved. What expands is unknown, unless it is a folder's variable.
type lexer struct {
	home, cwd string
	inner     func(string) // is given what a word would run
	words     []string
	all       [][]string
	word      strings.Builder
	begun     bool
}

func (l *lexer) commands(text []rune) [][]string {
	for i := 0; i < len(text); i++ {
		switch r := text[i]; r {
		case ' ', '\t', '<', '>':
			l.endWord()
		case '\n', '\r', ';', '&', '|', '(', ')':
			l.endCommand()
		case '\\':
			if i++; i < len(text) && text[i] != '\n' {
				l.put(text[i])
			}
		case '\'':
			end := indexFrom(text, i+1, '\'')
			l.put(text[i+1 : end]...)
			i = end
		case '"':
			i = l.quoted(text, i+1)
		case '$', '`':
			i = l.expand(text, i)
		case '*':
			l.put(many)
		case '?':
			l.put(one)
		case '[':
			if end := indexFrom(text, i, ']'); end < len(text) && end > i+1 && !strings.ContainsAny(string(text[i:end]), " \t\n;") {
				l.put(one)
				i = end
				continue
			}
			l.put(r)
		case '{':
			end := indexFrom(text, i, '}')
			if choices := string(text[i:end]); end < len(text) && strings.ContainsAny(choices, ",.") && !strings.ContainsAny(choices, " \t\n;") {
				l.inner(strings.ReplaceAll(choices[1:], ",", " "))
				l.put(many)
				i = end
				continue
			}
			l.put(r)
		case '~':
			if !l.begun || strings.HasSuffix(l.word.String(), "=") || strings.HasSuffix(l.word.String(), ":") {
				switch {
				case i+1 == len(text) || strings.ContainsRune("/ \t\n;&|)", text[i+1]):
					l.put([]rune(l.home)...)
				case text[i+1] == '+':
					l.put([]rune(l.cwd)...)
					i++
				default:
					for l.put(unknown); i+1 < len(text) && isName(text[i+1]); i++ { // somebody's home: also this user's own
					}
				}
				continue
			}
			l.put(r)
		default:
			l.put(r)
		}
	}
	l.endCommand()
	return l.all
}

// quoted reads to the end of double quotes.
func (l *lexer) quoted(text []rune, i int) int {
	l.begun = true
	for ; i < len(text) && text[i] != '"'; i++ {
		switch text[i] {
		case '\\':
			if i++; i < len(text) && text[i] != '\n' {
				if !strings.ContainsRune("$`\"\\", text[i]) {
					l.put('\\')
				}
				l.put(text[i])
			}
		case '$', '`':
			i = l.expand(text, i)
		default:
			l.put(text[i])
		}
	}
	return i
}

// expand reads what begins with a dollar or a backquote, and gives the place of its last character.
func (l *lexer) expand(text []rune, i int) int {
	if text[i] == '`' {
		end := indexFrom(text, i+1, '`')
		l.inner(string(text[i+1 : end]))
		l.put(unknown)
		return end
	}
	if i+1 == len(text) {
		l.put('$')
		return i
	}
	switch text[i+1] {
	case '\'':
		end := i + 2
		for ; end < len(text) && text[end] != '\''; end++ {
			if text[end] == '\\' {
				end++
			}
		}
		l.put([]rune(unescape(string(text[i+2 : min(end, len(text))])))...)
		return end
	case '(', '{', '[':
		end := closing(text, i+1)
		inside := string(text[i+2 : min(end, len(text))])
		if text[i+1] == '{' && l.variable(inside) {
			return end
		}
		l.inner(strings.NewReplacer(":-", " ", ":=", " ", ":+", " ", "-", " ", "=", " ").Replace(inside))
		if text[i+1] != '{' {
			l.inner(inside)
		}
		l.put(unknown)
		return end
	}
	end := i + 1
	for end < len(text) && isName(text[end]) {
		end++
	}
	if !l.variable(string(text[i+1 : end])) {
		l.put(unknown)
	}
	return max(end-1, i)
}

// variable puts the value of one that names a folder.
func (l *lexer) variable(name string) bool {
	value := ""
	switch name {
	case "HOME":
		value = l.home
	case "PWD":
		value = l.cwd
	case "XDG_STATE_HOME", "TMPDIR", "XDG_RUNTIME_DIR":
		value = os.Getenv(name)
	}
	l.put([]rune(value)...)
	return value != ""
}

func (l *lexer) put(r ...rune) {
	l.begun = true
	for _, r := range r {
		l.word.WriteRune(r)
	}
}

func (l *lexer) endWord() {
	if l.begun {
		l.words = append(l.words, l.word.String())
	}
	l.word.Reset()
	l.begun = false
}

func (l *lexer) endCommand() {
	if l.endWord(); len(l.words) > 0 {
		l.all = append(l.all, l.words)
	}
	l.words = nil
}

func isName(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// indexFrom is the place of a character from i on; the end, where there is none.
func indexFrom(text []rune, i int, r rune) int {
	if at := slices.Index(text[min(i, len(text)):], r); at >= 0 {
		return i + at
	}
	return len(text)
}

// closing is the place of the bracket that closes the one at i.
func closing(text []rune, i int) int {
	open, depth := text[i], 0
	shut := map[rune]rune{'(': ')', '{': '}', '[': ']'}[open]
	for ; i < len(text); i++ {
		switch text[i] {
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return i
}

// unescape resolves what $'…' has besides characters that mean themselves.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		base, digits := 8, 3
		from := i
		switch text[i] {
		case 'x':
			base, digits, from = 16, 2, i+1
		case 'u':
			base, digits, from = 16, 4, i+1
		case 'U':
			base, digits, from = 16, 8, i+1
		case '0', '1', '2', '3', '4', '5', '6', '7':
		default:
			b.WriteByte(text[i])
			continue
		}
		end := from
		for end < len(text) && end < from+digits {
			if _, err := strconv.ParseUint(text[end:end+1], base, 8); err != nil {
				break
			}
			end++
		}
		n, _ := strconv.ParseUint(text[from:end], base, 32)
		b.WriteRune(rune(n))
		i = end - 1
	}
	return b.String()
}
