package board

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// finder looks for a text in the lines of a log.
type finder struct {
	text    keys.Editor
	writing bool // keys write it
	line    int  // where it was found; -1: nowhere yet
	nth     int  // of all, from 1, counted from the newest; 0: it is nowhere
	all     int
}

// active says that something is looked for.
func (f *finder) active() bool { return f.writing || f.text.Text != "" }

// has says that a line has the text, letter case aside. The text is in lower case.
func has(line, text string) bool {
	return strings.Contains(strings.ToLower(terminal.Plain(line)), text)
}

// find goes to the next place above where it is, or below it, and around the ends; from is the line at which it begins where it is nowhere.
func (f *finder) find(lines []string, from int, up bool) {
	text := strings.ToLower(f.text.Text)
	f.nth, f.all = 0, 0
	if text == "" {
		f.line = -1
		return
	}
	var found []int
	for i := range lines {
		if has(lines[i], text) {
			found = append(found, i)
		}
	}
	f.all = len(found)
	if f.all == 0 {
		f.line = -1
		return
	}
	at := f.next(found, from, up)
	f.line, f.nth = found[at], f.all-at
}

func (f *finder) next(found []int, from int, up bool) int {
	start := f.line
	if start < 0 { // the first time the line at which it begins counts as well
		start = from + 1
	}
	if up {
		for i := len(found) - 1; i >= 0; i-- {
			if found[i] < start {
				return i
			}
		}
		return len(found) - 1
	}
	for i := range found {
		if found[i] > start {
			return i
		}
	}
	return 0
}

// moved says that so many lines have gone at the beginning.
func (f *finder) moved(by int) { f.line = max(f.line-by, -1) }

// place is where one is in what was found.
func (f *finder) place() string {
	if f.all == 0 {
		return "nowhere"
	}
	return itoa(f.nth) + " of " + itoa(f.all)
}

// words say what is looked for, and where one is.
func (f *finder) words() string {
	what := "“" + terminal.Cut(terminal.Visible(f.text.Text), 20) + "”"
	return what + " " + f.place()
}
