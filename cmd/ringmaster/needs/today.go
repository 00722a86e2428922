package needs

import (
	"fmt"
	"maps"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// maxTries is how often what a session had spent by midnight is asked for.
const maxTries = 2

// never is more than any number of tries: nobody could say it later either.
const never = maxTries + 1

// cent is as many millionths of a dollar. Less than half of one is nothing that anybody looks at.
const cent = 10_000

// Today is what the sessions of a list have cost since midnight, as far as they tell. Of a session that was made today it is all that it has cost; of an older
// one that has changed today, what it has cost since, for which somebody has to say what it had by then. The zero Today is ready.
type Today struct {
	since  time.Time                 // midnight
	before map[string]protocol.Spent // what sessions had used and cost by then
	tries  map[string]int            // that have failed since the list is current
	asked  string                    // the session that is being asked for

	made  bool // the words are of the list as it is
	words string
}

// Changed says that the list has changed.
func (t *Today) Changed() { t.made = false }

// day begins another day, where it is one.
func (t *Today) day(now time.Time) {
	y, m, d := now.Date()
	if midnight := time.Date(y, m, d, 0, 0, 0, 0, now.Location()); !midnight.Equal(t.since) {
		*t = Today{since: midnight, before: map[string]protocol.Spent{}, tries: map[string]int{}}
	}
}

// Ask gives the next session of which somebody has to say what it had spent before a time; one at a time.
func (t *Today) Ask(r *Roster, now time.Time) (s resource.SessionSummary, since time.Time, is bool) {
	t.day(now)
	if t.asked != "" {
		return s, t.since, false
	}
	for id, row := range r.sessions {
		if t.waits(&row.Session) {
			t.asked = id
			return row.Session, t.since, true
		}
	}
	return s, t.since, false
}

// waits says that what a session had spent by midnight is to be known, and is not.
func (t *Today) waits(s *resource.SessionSummary) bool {
	_, known := t.before[s.ID]
	return t.old(s) && used(&s.Spent) && !known && t.tries[s.ID] < maxTries
}

// used says that a model was used at all.
func used(s *protocol.Spent) bool { return s.TotalTokens > 0 || s.CostMicros > 0 }

// old says that a session was made before midnight, and has changed since: it may have been at work, or was renamed alone.
func (t *Today) old(s *resource.SessionSummary) bool {
	return s.CreatedAt.Before(t.since) && !s.UpdatedAt.Before(t.since)
}

// Have takes what a session had spent before a time.
func (t *Today) Have(session string, since time.Time, before protocol.Spent) {
	if t.answered(session, since) {
		t.before[session] = before
	}
}

// Failed says that nobody could say what a session had spent; far: nor will anybody, so that nobody is asked again.
func (t *Today) Failed(session string, since time.Time, far bool) {
	if t.answered(session, since) {
		t.tries[session]++
		if far {
			t.tries[session] = never
		}
	}
}

// Untried says that nobody was asked what a session had spent: that is no try.
func (t *Today) Untried(session string, since time.Time) { t.answered(session, since) }

// answered says that somebody waits for the answer of which this is one. What was asked yesterday is waited for no more.
func (t *Today) answered(session string, since time.Time) bool {
	if !since.Equal(t.since) || t.asked != session {
		return false
	}
	t.asked, t.made = "", false
	return true
}

// Again says that the daemon has come back, perhaps another one: what could not be said before is asked again.
func (t *Today) Again() {
	maps.DeleteFunc(t.tries, func(_ string, n int) bool { return n < never })
	t.made = false
}

// Words say what was spent today; empty: nothing, or it is not known yet. Sessions that have used a model since midnight and tell no cost of it are
// counted beside it, and so are those of which nobody could say whether they have.
func (t *Today) Words(r *Roster, now time.Time) string {
	t.day(now)
	if t.made {
		return t.words
	}
	t.made, t.words = true, ""
	sum, unknown, estimated := int64(0), 0, false
	for _, row := range r.sessions {
		s := &row.Session
		before, known := t.before[s.ID]
		switch {
		case s.UpdatedAt.Before(t.since), !used(&s.Spent), known && s.Spent.TotalTokens == before.TotalTokens && s.Spent.CostMicros == before.CostMicros:
			continue
		case t.waits(s):
			return ""
		case t.old(s) && !known, s.Spent.CostMicros == before.CostMicros:
			unknown++
			continue
		}
		sum += s.Spent.CostMicros - before.CostMicros
		estimated = estimated || s.Spent.EstimatedMicros > before.EstimatedMicros
	}
	if sum < cent/2 {
		return ""
	}
	t.words = fmt.Sprintf("$ %.2f today", float64(sum)/1e6)
	if estimated {
		t.words = "about " + t.words
	}
	if unknown > 0 {
		t.words += fmt.Sprintf(", %d unknown", unknown)
	}
	return t.words
}
