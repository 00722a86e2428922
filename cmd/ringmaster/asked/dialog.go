package asked

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Dialog is a request that somebody is answering: which keys count now, and what was chosen so far.
type Dialog struct {
	Request protocol.RequestOpened
	Cut     bool // only the beginning of what is asked was shown, and nobody else asks twice before it is allowed

	twice   string // the key of a choice that is asked twice, and was pressed once
	writing bool   // keys write: a message to the agent, or an answer
	text    keys.Editor
	answers [][]string // to the questions before this one
	chosen  []string   // ids of options of this question
}

// NewDialog begins to answer a request.
func NewDialog(q protocol.RequestOpened) *Dialog {
	d := &Dialog{Request: q}
	d.next()
	return d
}

// next looks at the question whose turn it is: one without options is answered with text at once.
func (d *Dialog) next() {
	d.chosen, d.text, d.writing = nil, keys.Editor{}, false
	if q := d.question(); q != nil {
		d.text.Set(q.Prefill)
		d.writing = len(q.Options) == 0
	}
}

// question is the one whose turn it is; nil: this is an approval, or all are answered.
func (d *Dialog) question() *protocol.Question {
	if d.Request.Kind == protocol.RequestApproval || len(d.answers) >= len(d.Request.Questions) {
		return nil
	}
	return &d.Request.Questions[len(d.answers)]
}

// Typing says that keys write a text, so that none of them is a command.
func (d *Dialog) Typing() bool { return d.writing }

// Unsent says that something was written that is not sent.
func (d *Dialog) Unsent() bool {
	return d.writing && d.text.Text != "" || len(d.answers)+len(d.chosen) > 0
}

// Key takes a key. reply is the answer where it is complete, and words say it; took is false for a key that means nothing here.
func (d *Dialog) Key(k keys.Key) (reply *resource.RequestAnswer, words string, took bool) {
	if d.Request.Kind == protocol.RequestApproval {
		return d.approval(k)
	}
	return d.ofQuestion(k)
}

func (d *Dialog) approval(k keys.Key) (*resource.RequestAnswer, string, bool) {
	if d.writing {
		switch {
		case k.Is("esc"):
			d.writing = false
			d.text.Set("")
		case k.Is("enter"):
			d.writing = false
		default:
			d.text.Key(k)
		}
		return nil, "", true
	}
	if k.Is("m") {
		d.writing, d.twice = true, ""
		return nil, "", true
	}
	pressed := d.twice
	d.twice = ""
	for _, c := range Choices(&d.Request, d.Cut) {
		if !k.Is(c.Key) {
			continue
		}
		if c.Twice && pressed != c.Key {
			d.twice = c.Key
			return nil, "", true
		}
		reply := c.Reply
		reply.Message = strings.TrimSpace(d.text.Text)
		return &reply, c.Words, true
	}
	return nil, "", pressed != ""
}

func (d *Dialog) ofQuestion(k keys.Key) (*resource.RequestAnswer, string, bool) {
	if k.Is("ctrl+x") {
		return &resource.RequestAnswer{Outcome: protocol.OutcomeCancelled}, "no answer", true
	}
	q := d.question()
	if q == nil { // it asks nothing that has a place for an answer
		if k.Is("enter") {
			return d.whole()
		}
		return nil, "", false
	}
	if d.writing {
		return d.write(k, q)
	}
	if n, err := strconv.Atoi(k.Text); k.Name == "" && err == nil && n >= 1 && n <= len(q.Options) {
		id := q.Options[n-1].ID
		if !q.Multiple {
			d.chosen = []string{id}
			return d.answered()
		}
		if at := slices.Index(d.chosen, id); at >= 0 {
			d.chosen = slices.Delete(d.chosen, at, at+1)
		} else {
			d.chosen = append(d.chosen, id)
		}
		return nil, "", true
	}
	switch {
	case k.Is("t") && q.FreeText:
		d.writing = true
	case k.Is("enter") && len(d.chosen) > 0:
		return d.answered()
	default:
		return nil, "", false
	}
	return nil, "", true
}

// write takes a key of an answer in one's own words.
func (d *Dialog) write(k keys.Key, q *protocol.Question) (*resource.RequestAnswer, string, bool) {
	switch {
	case k.Is("esc"):
		if len(q.Options) == 0 {
			return nil, "", false // whoever shows the dialog goes back
		}
		d.writing = false
	case k.Is("enter"):
		if strings.TrimSpace(d.text.Text) == "" {
			return nil, "", true
		}
		d.chosen = append(d.chosen, d.text.Text)
		if !q.Multiple {
			d.chosen = []string{d.text.Text}
		}
		return d.answered()
	default:
		d.text.Key(k)
	}
	return nil, "", true
}

// answered goes on to the next question, or gives all answers.
func (d *Dialog) answered() (*resource.RequestAnswer, string, bool) {
	d.answers = append(d.answers, d.chosen)
	d.next()
	if d.question() != nil {
		return nil, "", true
	}
	return d.whole()
}

func (d *Dialog) whole() (*resource.RequestAnswer, string, bool) {
	answers := d.answers
	d.answers = nil
	d.next()
	var words []string
	for _, a := range answers {
		words = append(words, strings.Join(a, ", "))
	}
	return &resource.RequestAnswer{Outcome: protocol.OutcomeAnswered, Answers: answers}, strings.Join(words, "; "), true
}
