package board

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// Options say how a board begins.
type Options struct {
	Session string // the session alone; empty: the list of all
	Colour  bool
	Cwd     string        // where new sessions work, unless somebody says otherwise
	Quiet   bool          // no bell
	Key     func() string // makes keys of idempotency
}

// place is what the board shows.
type place int

const (
	inRoster place = iota
	inPeek         // the list, and below it one session of it
	inSession
	inNew
	inHelp
	inPage
)

// State is a board. It is not safe for concurrent use.
type State struct {
	opt     Options
	style   terminal.Style
	columns int
	rows    int
	now     time.Time

	list    list
	at      place
	before  place // where the help leads back
	open    opened
	dialog  *dialog // what is being answered; nil: nothing
	drafts  drafts
	form    *form // the session that is to be made; nil: none
	page    *page // at inPage, and where the help leads back there
	help    help
	sending sending
	note    string // what was last done, or went wrong
	expects string // the session that was gone to because it asks, before it was known what; empty: none
	spent   bool   // what is typed was for a request that is over, until Enter or Esc
	pressed string // the key that has to be pressed twice, and was once
}

// New makes a board of so many columns and rows, and says what it wants at first.
func New(opt Options, columns, rows int, now time.Time) (*State, []desk.Wish) {
	s := &State{
		opt: opt, style: terminal.Style{Colour: opt.Colour}, columns: columns, rows: rows, now: now,
		drafts: drafts{kept: map[string]draft{}}, sending: sending{},
	}
	if opt.Session != "" {
		s.at = inSession
		s.list.choose(opt.Session)
	}
	return s, []desk.Wish{desk.Look{}}
}

// Resize gives the board another size.
func (s *State) Resize(columns, rows int) {
	s.columns, s.rows = columns, rows
	s.open.resize(columns)
}

// Tick lets time pass, up to the picture that is drawn now: ages and spinners, and what somebody has seen of a request.
func (s *State) Tick(now time.Time) {
	s.now = now
	s.open.frame++
	if d := s.dialog; d != nil && (s.at == inPeek || s.at == inSession) {
		sheet := s.sheet()
		d.drawn(sheet.most)
		d.warned = s.pressed == "blind"
	}
}

// Moves says that something on the screen changes by itself, so that it is drawn again several times a second; otherwise once a second is enough.
func (s *State) Moves() bool {
	if s.open.session == "" || s.at != inSession && s.at != inPeek {
		return false
	}
	sum, is := s.list.roster.Session(s.open.session)
	return is && sum.Status.State.Busy()
}

// target is the session that a command is about: the one that is shown, also where the list no longer has it.
func (s *State) target() (string, bool) {
	if s.at == inSession {
		return s.open.session, s.open.session != ""
	}
	if s.at == inPeek {
		_, is := s.list.roster.Session(s.list.chosen)
		return s.list.chosen, is
	}
	row, is := s.list.choice()
	return row.Session.ID, is
}

// unsent says that something was written and is not sent, or is on its way.
func (s *State) unsent() bool {
	return len(s.sending) > 0 || s.drafts.unsent() || s.dialog != nil && s.dialog.Unsent() || s.form != nil && !blank(s.form.prompt.Text)
}
