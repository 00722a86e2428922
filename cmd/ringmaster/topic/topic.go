// Package topic is what of one session can be looked at and chosen, in rows: its queue, its models, its modes, its policy, its pictures; and which
// nodes there are. It is pure, and a face shows it as it shows lists.
package topic

import (
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
)

// Topic is one of them. Its methods are called from one goroutine, and none of them waits. What is on its way is said in its row: nothing counts before the
// daemon has said so.
type Topic interface {
	// Title is what it is called, before the name of the session.
	Title() string
	// Read wants all that it shows.
	Read() []desk.Wish
	// Take takes news, and says what is wanted for it.
	Take(n desk.News) []desk.Wish
	// Rows are in the order in which they are shown; where there are none, the words say why.
	Rows() (list []Row, none string)
	// Notes stand below the rows.
	Notes() []string
	// Key takes a key about a row, which is nil where there is none.
	Key(k keys.Key, row *Row, t *Touch) []desk.Wish
	// Keys are told below it.
	Keys() string
}

// Row is one row. Its texts are foreign.
type Row struct {
	ID   string
	Text string
	Mark string // a word at its end
	Nth  int    // its place, where that matters, from 1
}

// Touch is a key that is being pressed.
type Touch struct {
	Pressed string // what was pressed once, before this key, and has to be pressed twice
	Press   string // what has to be pressed again
	Note    string // what somebody is told of it
}

// again says that a key was pressed for the second time; for the first time note is told.
func (t *Touch) again(what, note string) bool {
	if t.Pressed == what {
		return true
	}
	t.Press, t.Note = what, note
	return false
}

func short(id string) string { return id[:min(8, len(id))] }

// Outcome says what became of a wish of a topic; empty: it is of no topic.
func Outcome(n desk.Done) string {
	var good, bad string
	switch w := n.Wish.(type) {
	case desk.MovePrompt:
		good, bad = "Moved.", "Not moved: "
	case desk.CancelPrompt:
		good, bad = "Taken out of the queue.", "Not taken out: "
	case desk.Choose:
		good, bad = "The "+string(w.What)+" is "+w.Value+": "+n.How+".", "Not chosen: "
	case desk.SavePicture:
		good, bad = "It is in "+n.How, "Not there: "
	default:
		return ""
	}
	if n.Err != "" {
		return bad + n.Err
	}
	return good
}
