package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// step is one line of the steps.
type step struct {
	line    int    // in the steps file, from 1
	text    string // as written
	keyword string // given, when, then; "and" is resolved
	words   []word
}

// word is one word of a step. A quoted word is never part of a verb.
type word struct {
	text   string
	quoted bool
}

// parseSteps reads the lines of a steps file: keyword, verb words, arguments.
func parseSteps(text string) ([]step, error) {
	var steps []step
	last := ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words, err := splitWords(line)
		if err != nil {
			return nil, fmt.Errorf("steps line %d: %w", i+1, err)
		}
		s := step{line: i + 1, text: line, keyword: words[0].text, words: words[1:]}
		switch s.keyword {
		case "given", "when", "then":
			last = s.keyword
		case "and":
			if last == "" {
				return nil, fmt.Errorf("steps line %d: the first step cannot begin with and", i+1)
			}
			s.keyword = last
		default:
			return nil, fmt.Errorf("steps line %d: a step begins with given, when, then or and, not with %q", i+1, s.keyword)
		}
		steps = append(steps, s)
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("there are no steps")
	}
	return steps, nil
}

// splitWords takes a line apart at blanks; "…" with Go's escapes is one word.
func splitWords(line string) ([]word, error) {
	var words []word
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] == '"' {
			quoted, err := strconv.QuotedPrefix(line)
			if err != nil {
				return nil, fmt.Errorf("a quoted string has no end")
			}
			text, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, err
			}
			words, line = append(words, word{text, true}), line[len(quoted):]
			continue
		}
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			end = len(line)
		}
		words, line = append(words, word{text: line[:end]}), line[end:]
	}
	return words, nil
}

// verb is one row of the vocabulary.
type verb struct {
	keyword string // given: a preparation; when: an action; then: a check
	form    string // literals in lower case, arguments in upper case, optional parts in brackets
	do      func(w *world, a args) error
}

// args are the arguments of a step by name; absent optional ones are empty, a present optional literal is itself.
type args map[string]string

// fits says where a verb may stand: a check may also state a precondition, an action may prepare, a preparation may come
// late.
func (v *verb) fits(keyword string) bool {
	if v.keyword == "then" {
		return keyword != "when"
	}
	return keyword != "then"
}

// match reads a step as this verb.
func (v *verb) match(words []word) (args, bool) {
	a := args{}
	rest, ok := matchForm(strings.Fields(spaced(v.form)), words, a)
	return a, ok && len(rest) == 0
}

func spaced(form string) string {
	return strings.NewReplacer("[", " [ ", "]", " ] ").Replace(form)
}

// matchForm matches words against a form and returns what is left of them. An optional part is there when its first
// word is; one that begins with an argument takes what is left.
func matchForm(form []string, words []word, a args) ([]word, bool) {
	for i := 0; i < len(form); i++ {
		f := form[i]
		if f == "[" {
			end := i + slices.Index(form[i:], "]")
			if len(words) > 0 && (isArgument(form[i+1]) || !words[0].quoted && words[0].text == form[i+1]) {
				var ok bool
				if words, ok = matchForm(form[i+1:end], words, a); !ok {
					return words, false
				}
			}
			i = end
			continue
		}
		if len(words) == 0 {
			return nil, false
		}
		w := words[0]
		if isArgument(f) {
			a[f] = w.text
		} else if w.quoted || w.text != f {
			return words, false
		} else {
			a[f] = f
		}
		words = words[1:]
	}
	return words, true
}

func isArgument(f string) bool { return f == strings.ToUpper(f) }

// find looks a step up in the vocabulary; the error lists the nearest verbs.
func find(vocabulary []verb, s step) (*verb, args, error) {
	var misplaced *verb
	for i := range vocabulary {
		v := &vocabulary[i]
		a, ok := v.match(s.words)
		switch {
		case ok && v.fits(s.keyword):
			return v, a, nil
		case ok:
			misplaced = v
		}
	}
	if misplaced != nil {
		return nil, nil, fmt.Errorf("%q is a %s step and cannot stand under %q", misplaced.form, misplaced.keyword, s.keyword)
	}
	return nil, nil, fmt.Errorf("unknown step; did you mean:\n  %s", strings.Join(near(vocabulary, s), "\n  "))
}

// near lists the three forms that are closest to a step: by the literals that they share, then by spelling.
func near(vocabulary []verb, s step) []string {
	type scored struct {
		form string
		cost int
	}
	var all []scored
	for i := range vocabulary {
		all = append(all, scored{vocabulary[i].form, formCost(vocabulary[i].form, s.words)})
	}
	slices.SortStableFunc(all, func(a, b scored) int { return a.cost - b.cost })
	var out []string
	for _, c := range all[:min(3, len(all))] {
		out = append(out, c.form)
	}
	return out
}

// formCost is how far a step is from a form: for every literal, the distance to the most similar word.
func formCost(form string, words []word) int {
	cost, literals := 0, 0
	for _, f := range strings.Fields(strings.NewReplacer("[", " ", "]", " ").Replace(form)) {
		if isArgument(f) {
			continue
		}
		literals++
		best := len(f)
		for _, w := range words {
			best = min(best, editDistance(f, w.text))
		}
		cost += best * 4
	}
	return cost/max(1, literals) + literals
}

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := min(row[j]+1, row[j+1]+1, diagonal)
			if a[i] != b[j] {
				next = min(row[j]+1, row[j+1]+1, diagonal+1)
			}
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
