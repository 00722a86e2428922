package plain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/asked"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// is says whether this answers a request of a session; a nil answer answers none.
func (a *answer) is(session, request string) bool {
	return a != nil && a.session == session && a.request.Request.RequestID == request
}

// question is the one whose turn it is; nil: this is an approval.
func (a *answer) question() *protocol.Question {
	q := &a.request.Request
	if q.Kind == protocol.RequestApproval || len(a.given) >= len(q.Questions) {
		return nil
	}
	return &q.Questions[len(a.given)]
}

// choices tells what can be typed now.
func (s *State) choices() {
	a := s.answer
	if a.request.Request.Kind == protocol.RequestApproval {
		for i, c := range asked.Choices(&a.request.Request, a.cut) {
			s.say("%d. %s", i+1, c.Words)
		}
		s.say("Type a number, with a message to the agent behind it where you like, or b to leave it unanswered.")
		return
	}
	q := a.question()
	if q == nil {
		s.say("Type 1 to go on, 0 to give no answer, or b to leave it unanswered.")
		return
	}
	if q.Text != a.request.Request.Title {
		s.say("%s", q.Text)
	}
	for i, o := range q.Options {
		label := o.Label
		if label == "" {
			label = o.ID
		}
		if o.Description != "" {
			label += ": " + o.Description
		}
		s.say("%d. %s", i+1, label)
	}
	switch {
	case len(q.Options) == 0:
		s.say("Type the answer, or /n to give none, or /b to leave it unanswered.")
	case q.Multiple:
		s.say("Type numbers, with commas between them, or /n to give no answer, or /b to leave it unanswered.")
	default:
		s.say("Type a number, or /n to give no answer, or /b to leave it unanswered.")
	}
	if q.FreeText && len(q.Options) > 0 {
		s.say("Anything else that you type is an answer in your own words.")
	}
}

// answerWith takes a line that answers.
func (s *State) answerWith(line string) {
	a := s.answer
	switch {
	case a.sending:
		s.say("The answer is on its way.")
	case line == "/b" || line == "b" && (a.question() == nil || len(a.question().Options) > 0 && !a.question().FreeText):
		s.answer = nil
		s.say("Not answered.")
	case !a.told:
		s.say("What it is about is still being read: wait a moment, or type b to leave it unanswered.")
	case a.request.Request.Kind == protocol.RequestApproval:
		s.approve(line)
	case line == "/n" || a.question() == nil && line == "0":
		s.send(resource.RequestAnswer{Outcome: protocol.OutcomeCancelled})
	case a.question() == nil:
		s.send(resource.RequestAnswer{Outcome: protocol.OutcomeAnswered, Answers: a.given})
	default:
		s.reply(a.question(), line)
	}
}

func (s *State) approve(line string) {
	a := s.answer
	number, message, _ := strings.Cut(line, " ")
	choices := asked.Choices(&a.request.Request, a.cut)
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > len(choices) {
		s.choices()
		return
	}
	c := choices[n-1]
	if c.Twice && a.twice != number {
		a.twice = number
		s.say("Type %s again: %s. %s", number, c.Words, c.Why)
		return
	}
	c.Reply.Message = strings.TrimSpace(message)
	s.send(c.Reply)
}

// reply takes the answer to one question.
func (s *State) reply(q *protocol.Question, line string) {
	var chosen []string
	for _, part := range strings.Split(line, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 || n > len(q.Options) {
			chosen = nil
			break
		}
		if id := q.Options[n-1].ID; !slices.Contains(chosen, id) {
			chosen = append(chosen, id)
		}
	}
	switch {
	case len(chosen) == 1 || len(chosen) > 1 && q.Multiple:
	case line != "" && (q.FreeText || len(q.Options) == 0):
		chosen = []string{line}
	default:
		s.choices()
		return
	}
	a := s.answer
	a.given = append(a.given, chosen)
	if a.question() != nil {
		s.choices()
		return
	}
	s.send(resource.RequestAnswer{Outcome: protocol.OutcomeAnswered, Answers: a.given})
}

func (s *State) send(r resource.RequestAnswer) {
	s.answer.sending = true
	s.want(desk.Answer{Session: s.answer.session, Request: s.answer.request.Request.RequestID, Reply: r})
}
