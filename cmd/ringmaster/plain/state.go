package plain

import (
	"fmt"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/asked"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/needs"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/reason"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// State is a conversation by lines. It is not safe for concurrent use.
type State struct {
	opt      Options
	now      time.Time
	roster   needs.Roster
	away     string   // why the list is not current, as it was told last
	paused   string   // why nothing comes of the open log, as it was told last
	listed   bool     // the list was read as a whole, and told
	ready    bool     // what is asked was read once
	shown    []string // the sessions of the list that was told last, by their numbers
	session  string   // that is open; empty: none
	log      *terminal.Transcript
	caught   bool // what the log had when it was opened is told
	answer   *answer
	aside    *aside   // of the open session; nil: none
	filter   string   // words that the rows of the list must have
	pictures []string // paths, for the next prompt
	today    needs.Today
	making   *making
	out      []string
	wishes   []desk.Wish
}

// Options say how a conversation begins.
type Options struct {
	Session string // the session alone; empty: the list of all
	Cwd     string // where new sessions work
	Quiet   bool   // no bell
	Key     func() string
}

// answer is a request that somebody is answering.
type answer struct {
	session string
	request resource.InboxRequest
	given   [][]string // to the questions so far
	twice   string     // the number that has to come again
	told    bool       // somebody knows what it is about
	cut     bool       // but only the beginning of it
	sending bool
}

// making is a session that somebody is about to make.
type making struct {
	agents []string
	agent  string // chosen; empty: not yet
}

// New begins a conversation.
func New(opt Options, now time.Time) (*State, []desk.Wish) {
	return &State{opt: opt, now: now}, []desk.Wish{desk.Look{}}
}

func (s *State) say(format string, args ...any) {
	s.out = append(s.out, terminal.Visible(fmt.Sprintf(format, args...)))
}

func (s *State) want(w desk.Wish) { s.wishes = append(s.wishes, w) }

// flush gives what is to be printed and done.
func (s *State) flush() ([]string, []desk.Wish) {
	out, wishes := s.out, s.wishes
	s.out, s.wishes = nil, nil
	return out, wishes
}

// list tells which sessions there are, by numbers.
func (s *State) list() {
	rows := s.roster.Rows(s.filter)
	count := s.roster.Count
	s.say("%d sessions: %d need you, %d failed, %d working.", len(s.roster.Rows("")), count(needs.NeedsYou), count(needs.Failed), count(needs.Working))
	if words := s.today.Words(&s.roster, s.now); words != "" {
		s.say("%s.", words)
	}
	if s.filter != "" {
		s.say("Of these %d have: %s. / alone tells all.", len(rows), s.filter)
	}
	s.shown = s.shown[:0]
	for i := range rows {
		if i == maxTold {
			s.say("And %d more, which ringmaster ls lists.", len(rows)-i)
			break
		}
		r := rows[i]
		s.shown = append(s.shown, r.Session.ID)
		text := fmt.Sprintf("%d. %s: %s, %s", i+1, r.Group, needs.Name(&r.Session), r.Session.Agent)
		if why := r.Why(); why != "" && why != r.Group.String() {
			text += ", " + why
		}
		s.say("%s", terminal.Cut(strings.Join(strings.Fields(text), " "), 300))
	}
	s.say("Type the number of a session, a to answer the next request, n for a new session, l for this list, h for help, q to quit.")
}

// open opens a session.
func (s *State) open(id string) {
	sum, is := s.roster.Session(id)
	if !is {
		s.say("That session is not there any more.")
		return
	}
	s.session, s.caught, s.paused, s.aside, s.pictures = id, false, "", nil, nil
	s.log = terminal.NewTranscript(terminal.Options{Keys: true})
	s.say("Session %s. Agent %s, in %s. It is %s.", needs.Name(&sum), sum.Agent, sum.Cwd, strings.ReplaceAll(string(sum.Status.State), "_", " "))
	if sum.Node != "" {
		s.say("Another node has it, %s: it is read here, and led there.", sum.Node)
	}
	s.say("Type p and a text to send a prompt, s and a text to steer, x to interrupt, a to answer, r to read the newest lines, b to go back, h for more.")
	s.want(desk.Open{Session: id, Cursor: sum.Cursor})
}

// ask tells what a request asks, and which numbers answer.
func (s *State) ask(q resource.InboxRequest) {
	sum, _ := s.roster.Session(q.SessionID)
	s.answer, s.aside = &answer{session: q.SessionID, request: q}, nil
	s.say("In the session %s:", needs.Name(&sum))
	if q.Request.EntryID != "" {
		s.want(desk.ReadCall{Session: q.SessionID, Request: q.Request.RequestID, Entry: q.Request.EntryID, Cursor: q.Cursor})
		return // the call says what it is about
	}
	s.tell(desk.Called{})
}

// tell tells a request, whose call is known now.
func (s *State) tell(c desk.Called) {
	s.answer.told = true
	q := &s.answer.request
	sum, _ := s.roster.Session(s.answer.session)
	a := asked.Asked{Agent: sum.Agent, Request: q.Request, Call: c.Call, Reason: reason.Asked(&q.Request, sum.Policy), Aloud: true}
	lines, cut := a.Lines(terminal.Style{}, unwrapped)
	s.out, s.answer.cut = append(s.out, lines...), cut
	if c.Err != "" {
		s.say("The call that it is about could not be read: %s.", c.Err)
	}
	if d := reason.Deadline(&q.Request, s.now); d != "" {
		s.say("Without an answer: %s.", d)
	}
	s.choices()
}

// maxTold is how many sessions of the list are told: nobody listens to more.
const maxTold = 50

// unwrapped is wider than any line: where lines end is the terminal's own affair.
const unwrapped = 1 << 20
