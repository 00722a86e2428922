package asked

import (
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Choice is one answer to an approval.
type Choice struct {
	Key   string
	Words string
	Reply resource.RequestAnswer
	Twice bool   // it is asked twice: it may allow more than this once, or more than was shown
	Why   string // it is asked twice
}

// Why a choice is asked twice.
const (
	again     = "The agent may not ask again for the like of this."
	beginning = "This is the beginning of it: the rest is not shown here."
)

var known = []struct{ id, key, words string }{
	{protocol.AllowOnce, "y", "allow once"},
	{protocol.AllowAlways, "A", "allow always"},
	{protocol.DenyContinue, "n", "deny"},
	{protocol.DenyStop, "N", "deny and stop"},
}

// Choices are the answers to an approval that its agent supports, in the order that people know. Where the agent names none, it is allowed or denied. cut: only
// the beginning of what is asked was shown, so that nobody allows it by one key.
func Choices(q *protocol.RequestOpened, cut bool) []Choice {
	list := choices(q)
	for i := range list {
		if c := &list[i]; cut && (c.Twice || c.Reply.Option == protocol.AllowOnce || c.Reply.Outcome == protocol.OutcomeAllowed) {
			c.Twice, c.Why = true, strings.TrimPrefix(c.Why+" "+beginning, " ")
		}
	}
	return list
}

func choices(q *protocol.RequestOpened) []Choice {
	var list []Choice
	if len(q.Options) == 0 {
		return []Choice{
			{Key: "y", Words: "allow once", Reply: resource.RequestAnswer{Outcome: protocol.OutcomeAllowed}},
			{Key: "n", Words: "deny", Reply: resource.RequestAnswer{Outcome: protocol.OutcomeDenied}},
		}
	}
	taken := map[string]bool{}
	for _, k := range known {
		for _, o := range q.Options {
			if o.ID == k.id && !taken[o.ID] {
				taken[o.ID] = true
				c := Choice{Key: k.key, Words: k.words, Reply: resource.RequestAnswer{Option: o.ID}}
				if o.ID == protocol.AllowAlways {
					c.Twice, c.Why = true, orDefault(o.Description, again)
				}
				list = append(list, c)
			}
		}
	}
	number := 0
	for _, o := range q.Options {
		if taken[o.ID] {
			continue
		}
		number++
		list = append(list, Choice{
			Key: strconv.Itoa(number), Words: orDefault(o.Label, o.ID), Reply: resource.RequestAnswer{Option: o.ID}, Twice: true,
			Why: orDefault(o.Description, again),
		})
	}
	return list
}
