package plain

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// newest is how many lines of a log are told at once.
const newest = 20

// Line takes a line that somebody has typed; printed is what is told, in lines.
func (s *State) Line(text string, now time.Time) (printed []string, wishes []desk.Wish) {
	s.now = now
	text = strings.TrimSpace(text)
	switch {
	case s.making != nil:
		s.make(text)
	case s.aside != nil:
		s.aside.line(s, text)
	case s.answer != nil:
		s.answerWith(text)
	default:
		s.command(text)
	}
	return s.flush()
}

func (s *State) command(text string) {
	word, rest, _ := strings.Cut(text, " ")
	switch word {
	case "":
	case "q":
		s.want(desk.Quit{})
	case "h", "?":
		s.help()
	case "l":
		s.list()
	case "n":
		s.making = &making{}
		s.want(desk.ListAgents{})
	case "a":
		s.next()
	case "b":
		s.back()
	case "/":
		if s.session == "" {
			filter(s, strings.TrimSpace(rest))
			return
		}
		find(s, strings.TrimSpace(rest))
	case "p", "s", "x", "r", "+", "w", "model", "mode", "policy", "i":
		if s.session == "" {
			s.say("No session is open: type its number first.")
			return
		}
		s.inSession(word, rest)
	default:
		s.number(word)
	}
}

func (s *State) number(word string) {
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > len(s.shown) {
		s.say("%q is no command and no number of the list. Type h for help.", word)
		return
	}
	id := s.shown[n-1]
	s.open(id)
	if row, is := s.roster.Row(id); is && len(row.Requests) > 0 {
		s.ask(row.Requests[0])
	}
}

// next asks what has waited longest: of the open session, else of all.
func (s *State) next() {
	rows := s.roster.Rows("")
	if row, is := s.roster.Row(s.session); is && len(row.Requests) > 0 {
		rows = slices.Insert(slices.Clone(rows), 0, &row)
	}
	for _, r := range rows {
		if len(r.Requests) > 0 {
			s.ask(r.Requests[0])
			return
		}
	}
	s.say("Nothing is asked.")
}

func (s *State) back() {
	if s.session == "" || s.opt.Session != "" {
		s.say("There is nothing to go back to. Type q to quit.")
		return
	}
	s.session, s.log = "", nil
	s.want(desk.Close{})
	s.list()
}

func (s *State) inSession(word, rest string) {
	switch {
	case asides[word] != nil:
		s.aside = asides[word](s)
		for _, w := range s.aside.about.Read() {
			s.want(w)
		}
		s.aside.tell(s)
	case word == "+":
		attach(s, strings.TrimSpace(rest))
	case word == "r":
		s.read()
	case word == "x":
		s.want(desk.Interrupt{Session: s.session})
	case strings.TrimSpace(rest) == "" && len(s.pictures) == 0:
		s.say("Type %s, a space, and the text.", word)
	default:
		w := desk.Prompt{Session: s.session, Text: rest, Pictures: s.pictures, Behavior: protocol.FollowUp, Key: s.opt.Key()}
		if word == "s" {
			w.Behavior = protocol.Steer
		}
		s.pictures = nil
		s.want(w)
	}
}

// read tells the newest lines of the log.
func (s *State) read() {
	lines := s.log.Lines()
	if len(lines) == 0 {
		s.say("Nothing yet.")
	}
	s.out = append(s.out, lines[max(0, len(lines)-newest):]...)
}

// make takes a line of a new session: the number of its agent, then its first prompt.
func (s *State) make(text string) {
	m := s.making
	if text == "/b" || text == "b" && m.agent == "" {
		s.making = nil
		s.say("No session was made.")
		return
	}
	if m.agent == "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > len(m.agents) {
			s.say("Type the number of an agent, or b to go back.")
			return
		}
		m.agent = m.agents[n-1]
		s.say("It will work in %s. Type its first prompt, or /b to go back.", s.opt.Cwd)
		return
	}
	if text == "" {
		return
	}
	s.want(desk.Create{Agent: m.agent, Cwd: s.opt.Cwd, Text: text, Key: s.opt.Key()})
	s.making = nil
}

func (s *State) help() {
	for _, l := range []string{
		"A number opens the session of the list that has it.",
		"a answers the request that has waited longest.",
		"n makes a new session. l tells the list. b goes back. q quits; sessions go on.",
		"In a session: p and a text sends a prompt, which waits for the end of a running turn. s and a text goes into the running turn.",
		"x interrupts the running turn. r reads the newest lines. / and a text reads the lines that have it; of the list, the sessions that do.",
		"w tells the prompts that wait, to move them or take them out. model, mode and policy tell what can be chosen.",
		"i tells the pictures, to write one into a file or show it. + and a path sends a picture with the next prompt.",
	} {
		s.say("%s", l)
	}
}
