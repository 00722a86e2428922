package board

import (
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
)

// keyList is what the help shows: keys, with blanks between them, and what they do. TestHelpIsTrue holds it against what keys do.
var keyList = [][2]string{
	{"↑ ↓ j k", "choose; in a session, read back and on"},
	{"PgUp PgDn b Home End g G", "a page, the beginning, the end"},
	{"Space", "peek: what is asked and its diff, or the newest lines"},
	{"Enter", "open the session; take what is chosen"},
	{"a", "the next request that needs you"},
	{"y n A N", "allow once, deny, allow always (twice), deny and stop"},
	{"m", "a message to the agent, with the answer"},
	{"1-9 t Ctrl-X", "of a question: answers, own words, no answer"},
	{"p s", "write a prompt; s: into the running turn"},
	{"Tab Ctrl-J Ctrl-O", "in it: into the turn or not, new line, a picture"},
	{"x", "interrupt the turn (twice)"},
	{"c", "a new session"},
	{"/", "filter the list; in a session, search its text"},
	{"n N", "of a search: the next place above, below"},
	{"w K J", "prompts that wait; there K J move one, x takes it out"},
	{"M O P", "choose the model, the mode, the policy"},
	{"i o", "pictures; there Enter writes a file, o shows it"},
	{"E", "elsewhere: the nodes on the same Core"},
	{"Esc", "back; it never quits"},
	{"q Ctrl-C", "quit; twice while something is not sent"},
	{"Ctrl-Z", "stop, until the shell's fg"},
	{"?", "this help"},
}

// help is the list of keys, from the row that is shown first.
type help struct{ top int }

// key takes a key that moves in it, where there is more than the screen shows; any other one leads back.
func (h *help) key(k keys.Key, rows int) (took bool) {
	last := len(keyList) - (rows - 2)
	if last <= 0 {
		return false
	}
	switch {
	case k.Is("down", "j"):
		h.top++
	case k.Is("up", "k"):
		h.top--
	case k.Is("pgdown"):
		h.top += max(1, rows-3)
	case k.Is("pgup"):
		h.top -= max(1, rows-3)
	default:
		return false
	}
	h.top = min(max(h.top, 0), last)
	return true
}
