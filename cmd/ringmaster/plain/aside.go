package plain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/topic"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// aside is something of the open session that somebody looks at and chooses from by numbers: its queue, its models, its modes, its policy, its pictures. It
// is told when it is opened, and again when what it says has changed.
type aside struct {
	about   topic.Topic
	words   map[string]string // what can be typed behind a number, and the key that it is; empty: a number alone
	how     string            // what to type
	pressed string            // what has to be typed twice, and was once
	told    string            // as it was told last
	shown   []topic.Row       // by their numbers
}

// asides are they, by the words that open them.
var asides = map[string]func(s *State) *aside{
	"w": func(s *State) *aside {
		return &aside{
			about: topic.Queue(s.session), words: map[string]string{"up": "K", "down": "J", "out": "x"},
			how: "Type a number and up, down or out, such as 2 up.",
		}
	},
	"model": func(s *State) *aside { return choosing(topic.Choice(s.session, desk.Model)) },
	"mode":  func(s *State) *aside { return choosing(topic.Choice(s.session, desk.Mode)) },
	"policy": func(s *State) *aside {
		return choosing(topic.Policy(s.session, func() *protocol.Policy {
			sum, _ := s.roster.Session(s.session)
			return sum.Policy
		}))
	},
	"i": func(s *State) *aside {
		return &aside{
			about: topic.Pictures(s.session, func() []terminal.Picture { return s.log.Pictures() }), words: map[string]string{"": "enter", "show": "o"},
			how: "Type a number to write that picture into a file here, or a number and show.",
		}
	},
}

func choosing(about topic.Topic) *aside {
	return &aside{about: about, words: map[string]string{"": "enter"}, how: "Type a number to choose it."}
}

// take takes news; a nil aside takes none. What has changed is told.
func (a *aside) take(s *State, n desk.News) {
	if a == nil {
		return
	}
	for _, w := range a.about.Take(n) {
		s.want(w)
	}
	switch n.(type) {
	case desk.Queue, desk.Choices, desk.Weighed: // the first time nothing was known yet
		a.tell(s)
	default:
	}
}

// tell tells it, unless it was told so already.
func (a *aside) tell(s *State) {
	list, none := a.about.Rows()
	var out []string
	for i, r := range list {
		if i == maxTold {
			out = append(out, fmt.Sprintf("And %d more.", len(list)-i))
			break
		}
		text := fmt.Sprintf("%d. %s", i+1, strings.Join(strings.Fields(terminal.Cut(terminal.Visible(r.Text), 300)), " "))
		if r.Mark != "" {
			text += ", " + r.Mark
		}
		out = append(out, text)
	}
	if len(list) == 0 {
		out = append(out, none)
	}
	out = append(out, a.about.Notes()...)
	told := strings.Join(out, "\n")
	if told == a.told {
		return
	}
	a.told, a.shown = told, list[:min(len(list), maxTold)]
	title := a.about.Title()
	s.say("%s:", strings.ToUpper(title[:1])+title[1:])
	for _, l := range out {
		s.say("%s", l)
	}
	if len(list) > 0 {
		s.say("%s b goes back.", a.how)
	}
}

// line takes a line about it.
func (a *aside) line(s *State, text string) {
	pressed := a.pressed
	a.pressed = ""
	number, word, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(number)
	key := a.words[strings.TrimSpace(word)]
	switch {
	case text == "b" || text == "/b":
		s.aside = nil
		s.say("Back in the session.")
		return
	case text == "":
		return
	case err != nil || n < 1 || n > len(a.shown) || key == "":
		s.say("%s b goes back.", a.how)
		return
	}
	k := keys.Key{Text: key}
	if key == "enter" {
		k = keys.Key{Name: key}
	}
	row := a.shown[n-1]
	t := topic.Touch{Pressed: pressed}
	for _, w := range a.about.Key(k, &row, &t) {
		s.want(w)
	}
	if t.Press != "" {
		a.pressed = t.Press
		t.Note = "Type it again to do it: " + strings.TrimSpace(row.Text)
	}
	if t.Note != "" {
		s.say("%s", terminal.Cut(t.Note, 300))
	}
}
