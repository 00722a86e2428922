package plain

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// find tells the newest lines of a log that have a text, letter case aside.
func find(s *State, text string) {
	if text == "" {
		s.say("Type /, a space, and what to look for.")
		return
	}
	var found []string
	for _, l := range s.log.Lines() {
		if strings.Contains(strings.ToLower(l), strings.ToLower(text)) {
			found = append(found, l)
		}
	}
	if len(found) == 0 {
		s.say("%s is nowhere in what was read of the session.", terminal.Cut(text, 80))
		return
	}
	if len(found) == 1 {
		s.say("One line has it:")
	} else {
		s.say("%d lines have it, the newest last:", len(found))
	}
	s.out = append(s.out, found[max(0, len(found)-newest):]...)
}

// filter keeps of the list what has all of these words, and tells it.
func filter(s *State, words string) {
	s.filter = words
	s.list()
}

// attach has a picture go with the next prompt; it is read when that is sent.
func attach(s *State, path string) {
	if path == "" {
		if len(s.pictures) == 0 {
			s.say("Type +, a space, and the path of a picture.")
			return
		}
		s.pictures = nil
		s.say("No picture goes with the next prompt.")
		return
	}
	s.pictures = append(s.pictures, path)
	s.say("It goes with the next prompt: %s. + alone takes it away.", path)
}
