package board

import (
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/topic"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// topics are the pages, by the keys that open them.
var topics = map[string]func(s *State, session string) topic.Topic{
	"w": func(_ *State, id string) topic.Topic { return topic.Queue(id) },
	"M": func(_ *State, id string) topic.Topic { return topic.Choice(id, desk.Model) },
	"O": func(_ *State, id string) topic.Topic { return topic.Choice(id, desk.Mode) },
	"P": func(s *State, id string) topic.Topic {
		return topic.Policy(id, func() *protocol.Policy {
			sum, _ := s.list.roster.Session(id)
			return sum.Policy
		})
	},
	"i": func(s *State, id string) topic.Topic {
		return topic.Pictures(id, func() []terminal.Picture {
			if s.open.session != id || s.open.log == nil {
				return nil
			}
			return s.open.log.Pictures()
		})
	},
}

// nodesKey opens the page of the nodes, which is about no session.
const nodesKey = "E"

// turnTo opens a page: that of the nodes, or one of the session that is shown or chosen.
func (s *State) turnTo(key string) []desk.Wish {
	if key == nodesKey {
		s.page = &page{from: s.at, about: topic.Nodes()}
		s.at = inPage
		return s.page.about.Read()
	}
	id, is := s.target()
	if !is {
		s.note = "There is no session."
		return nil
	}
	s.page = &page{session: id, from: s.at, about: topics[key](s, id)}
	s.at = inPage
	return append(s.openLog(id), s.page.about.Read()...)
}

// inPage takes a key of a page.
func (s *State) inPage(k keys.Key, pressed string) []desk.Wish {
	t := topic.Touch{Pressed: pressed}
	wishes, took := s.page.key(k, max(1, s.rows-5), &t)
	s.pressed, s.note = t.Press, t.Note
	switch {
	case took:
		return wishes
	case k.Is("q"):
		return s.quit(pressed, "q")
	case k.Is("?"):
		s.before, s.at, s.help = s.at, inHelp, help{}
	case k.Is("esc"):
		return s.back()
	}
	return nil
}
