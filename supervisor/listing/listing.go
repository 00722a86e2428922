// Package listing answers queries for sessions from the roster. It asks no actor.
package listing

import (
	"context"
	"encoding/base64"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// Query filters and pages a list. Empty members do not filter.
type Query struct {
	Agent  string
	Cwd    string
	Parent string // id of the session that they work for
	Under  string // id of a session that they work for directly or at any depth
	Owner  string
	Native string // the agent's own id
	States []protocol.State
	Active *bool             // true: not ended; false: ended
	Labels map[string]string // all must match
	Text   string            // part of the title, the cwd or the id, case folded
	Limit  int               // 1 to 1000; 0: 100
	After  string            // Page.Next of the page before
}

// Page is one page of a list.
type Page struct {
	Sessions []session.Summary
	Next     string // empty: this was the last
	Total    int    // of all that match
	Partial  bool   // sessions of other nodes may be missing
	Revision uint64 // of the roster: what has changed since then may be told or not, and is among the changes since
}

// MaxPage is how many sessions a page has at most.
const MaxPage = 1000

// Lists answers queries from the roster, in the goroutine of who asks.
type Lists struct {
	roster *roster.Roster
	long   chan struct{} // a slot for each long look that may be under way
}

// New makes the lists of a roster. Half of the processors may be busy with long looks; others wait for their turn, so that whoever asks for what is
// found at once is not held up by those who have all sessions looked through.
func New(r *roster.Roster) *Lists {
	return &Lists{r, make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))}
}

const (
	piece = 256  // sessions of one look: the roster is locked for some microseconds
	short = 2048 // a look through so many sessions needs no turn
)

// Page answers a query: newest first, the id where two are of one time. A page of all sessions, or of those that have one of Owner, Parent, Agent, Cwd and
// Active in common, takes time for what it shows; one of Under, for those below; and any other, for the smallest set of these that it chooses from, up to the
// end of the context.
//
// Each session is in the page, or is not, as it was at Page.Revision or later: who follows the roster from there misses nothing.
func (l *Lists) Page(ctx context.Context, q Query) (Page, error) {
	var from *roster.Place
	if q.After != "" {
		last, err := parseToken(q.After)
		if err != nil {
			return Page{}, err
		}
		from = &last
	}
	if q.Limit <= 0 {
		q.Limit = 100
	}
	c := collector{query: &q, after: from, limit: min(q.Limit, MaxPage)}
	q.Text = strings.ToLower(q.Text)
	choice := q.choice()
	var err error
	switch {
	case q.Under != "":
		err = l.under(ctx, &c)
	case choice.Whole() && q.Native == "" && len(q.States) == 0 && len(q.Labels) == 0 && q.Text == "":
		look := l.roster.Newest(&choice, from, c.limit+1)
		c.found, c.total, c.revision = look.Sessions, look.Of, look.Revision
	default:
		err = l.through(ctx, &choice, &c)
	}
	if err != nil {
		return Page{}, err
	}
	return c.page(), nil
}

// choice is the part of a query that the roster has sets for.
func (q *Query) choice() roster.Choice {
	c := roster.Choice{Owner: q.Owner, Parent: q.Parent, Agent: q.Agent, Cwd: q.Cwd, Active: q.Active}
	if c.Active == nil && len(q.States) > 0 {
		ended := 0
		for _, s := range q.States {
			if s.Ended() {
				ended++
			}
		}
		if ended == 0 || ended == len(q.States) {
			c.Active = new(ended == 0)
		}
	}
	return c
}

// through looks through all that have what is chosen. The roster may change between two looks: each session is seen once, since its place does not change.
func (l *Lists) through(ctx context.Context, choice *roster.Choice, c *collector) error {
	var at *roster.Place
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		look := l.roster.Newest(choice, at, piece)
		if at == nil {
			c.revision = look.Revision
			if look.Of > short {
				if err := l.turn(ctx); err != nil {
					return err
				}
				defer l.over() //nolint:gocritic // once: at is set from then on
			}
		}
		for _, s := range look.Sessions {
			c.take(s)
		}
		n := len(look.Sessions)
		if n < piece {
			return nil
		}
		at = new(look.Sessions[n-1].Place())
	}
}

// turn waits for the slot of a long look; over gives it back.
func (l *Lists) turn(ctx context.Context) error {
	select {
	case l.long <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (l *Lists) over() { <-l.long }

// under takes the sessions that work for one, at any depth. How many these are is known only on the way, so that its turn is waited for there.
func (l *Lists) under(ctx context.Context, c *collector) error {
	var found []*roster.Session
	c.revision = l.roster.Now()
	above, seen, long := []string{c.query.Under}, map[string]bool{}, false
	for i := 0; i < len(above); i++ {
		if seen[above[i]] { // a ring of parents, which only a damaged folder has, ends here
			continue
		}
		seen[above[i]] = true
		for at := (*roster.Place)(nil); ; {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			look := l.roster.Newest(&roster.Choice{Parent: above[i]}, at, piece)
			for _, s := range look.Sessions {
				found, above = append(found, s), append(above, s.ID)
			}
			if !long && len(found) > short {
				if err := l.turn(ctx); err != nil {
					return err
				}
				defer l.over() //nolint:gocritic // once
				long = true
			}
			n := len(look.Sessions)
			if n < piece {
				break
			}
			at = new(look.Sessions[n-1].Place())
		}
	}
	slices.SortFunc(found, func(a, b *roster.Session) int { return a.Place().Compare(b.Place()) })
	for _, s := range found {
		c.take(s)
	}
	return nil
}

// collector makes a page of the sessions that it is given, the newest first.
type collector struct {
	query    *Query
	after    *roster.Place // nil: the page begins with the newest
	limit    int
	found    []*roster.Session // at most one more than the limit
	total    int
	revision uint64
}

func (c *collector) take(s *roster.Session) {
	if !c.query.Matches(s.About()) {
		return
	}
	c.total++
	if len(c.found) <= c.limit && (c.after == nil || c.after.Before(s.Place())) {
		c.found = append(c.found, s)
	}
}

func (c *collector) page() Page {
	p := Page{Total: c.total, Revision: c.revision}
	if len(c.found) > c.limit {
		c.found = c.found[:c.limit]
		p.Next = token(c.found[c.limit-1].Place())
	}
	if len(c.found) > 0 {
		p.Sessions = make([]session.Summary, len(c.found))
	}
	for i, s := range c.found {
		p.Sessions[i] = *s.Summary()
	}
	return p
}

// token names the last session of a page; sessions that come or go meanwhile neither repeat nor hide others.
func token(last roster.Place) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(last.Created, 10) + "." + last.ID))
}

func parseToken(t string) (roster.Place, error) {
	b, err := base64.RawURLEncoding.DecodeString(t)
	ms, id, ok := strings.Cut(string(b), ".")
	n, numErr := strconv.ParseInt(ms, 10, 64)
	if err != nil || !ok || numErr != nil {
		return roster.Place{}, &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: protocol.TermPageAfter + " is not a page's " + protocol.TermPageNext + ".",
			Hint: "Pass on " + protocol.TermPageNext + " of the page before as it is.",
		}
	}
	return roster.Place{Created: n, ID: id}, nil
}

// Matches says that a session is one of those that are asked for, but for Under.
func (q *Query) Matches(s *session.Summary) bool {
	if q.Agent != "" && q.Agent != s.Agent || q.Cwd != "" && q.Cwd != s.Cwd || q.Parent != "" && q.Parent != s.ParentSessionID ||
		q.Owner != "" && q.Owner != s.Owner || q.Native != "" && q.Native != s.NativeSessionID ||
		len(q.States) > 0 && !slices.Contains(q.States, s.Status.State) ||
		q.Active != nil && *q.Active == s.Status.State.Ended() {
		return false
	}
	for k, v := range q.Labels {
		if s.Labels[k] != v {
			return false
		}
	}
	text := strings.ToLower(q.Text)
	return text == "" || strings.Contains(strings.ToLower(s.Title), text) ||
		strings.Contains(strings.ToLower(s.Cwd), text) || strings.Contains(s.ID, text)
}
