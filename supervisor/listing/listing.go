// Package listing answers queries for sessions from their summaries.
package listing

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
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
}

// MaxPage is how many sessions a page has at most.
const MaxPage = 1000

// Of answers a query from summaries: newest first, the id where two are of one time.
func Of(all []*session.Summary, q Query) (Page, error) {
	if q.Under != "" {
		all = under(all, q.Under)
	}
	limit := q.Limit
	if limit <= 0 {
		limit = 100
	}
	limit = min(limit, MaxPage)
	match := slices.DeleteFunc(slices.Clone(all), func(s *session.Summary) bool { return !q.Matches(s) })
	slices.SortFunc(match, newestFirst)
	p := Page{Total: len(match)}
	if q.After != "" {
		last, err := parseToken(q.After)
		if err != nil {
			return Page{}, err
		}
		i, _ := slices.BinarySearchFunc(match, &last, newestFirst)
		if i < len(match) && match[i].ID == last.ID {
			i++
		}
		match = match[i:]
	}
	for _, s := range match[:min(limit, len(match))] {
		p.Sessions = append(p.Sessions, *s)
	}
	if len(match) > limit {
		p.Next = token(match[limit-1])
	}
	return p, nil
}

// under keeps the sessions that work for one, at any depth.
func under(all []*session.Summary, id string) []*session.Summary {
	of := map[string][]*session.Summary{}
	for _, s := range all {
		if s.ParentSessionID != "" {
			of[s.ParentSessionID] = append(of[s.ParentSessionID], s)
		}
	}
	found := slices.Clone(of[id])
	for i := 0; i < len(found); i++ {
		of[id] = nil // a ring of parents, which only a damaged folder has, ends here
		found = append(found, of[found[i].ID]...)
		of[found[i].ID] = nil
	}
	return found
}

func newestFirst(a, b *session.Summary) int {
	if c := b.Created.Compare(a.Created); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}

// token names the last session of a page; sessions that come or go meanwhile neither repeat nor hide others.
func token(s *session.Summary) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(s.Created.UnixMilli(), 10) + "." + s.ID))
}

func parseToken(t string) (session.Summary, error) {
	b, err := base64.RawURLEncoding.DecodeString(t)
	ms, id, ok := strings.Cut(string(b), ".")
	n, numErr := strconv.ParseInt(ms, 10, 64)
	if err != nil || !ok || numErr != nil {
		return session.Summary{}, &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: protocol.TermPageAfter + " is not a page's " + protocol.TermPageNext + ".",
			Hint: "Pass on " + protocol.TermPageNext + " of the page before as it is.",
		}
	}
	return session.Summary{ID: id, Created: time.UnixMilli(n).UTC()}, nil
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
