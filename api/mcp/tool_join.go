package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

type joinInput struct {
	SessionIDs []string `json:"session_ids,omitempty" maxItems:"64" jsonschema:"the sessions to wait for, 64 at most; an agent may leave it out: all its sessions that are at work"`
	PromptID   string   `json:"prompt_id,omitempty" jsonschema:"with one session: wait until this prompt is over, and give its answer and no other's"`
	Wait       string   `json:"wait,omitempty" jsonschema:"all (the default): until each has come to rest, or one needs an answer of yours; any: until the first has"`
	WaitMs     *int     `json:"wait_ms,omitempty" minimum:"0" maximum:"110000" jsonschema:"so many milliseconds at most, up to 110000; default 55000; 0 only looks"`
}

type joinOutput struct {
	Done     bool           `json:"done" jsonschema:"what was waited for has come; false: the time is over, or something has to be answered first: then call again"`
	Sessions []joinedOutput `json:"sessions" jsonschema:"in the order of session_ids"`
}

type joinedOutput struct {
	SessionID string `json:"session_id"`
	Title     string `json:"title,omitempty"`
	PromptID  string `json:"prompt_id,omitempty"`
	Resting   bool   `json:"resting" jsonschema:"it has ended, is idle, or waits for an answer"`
	Status    string `json:"status" jsonschema:"running, idle, completed or failed"`
	State     string `json:"state" jsonschema:"in detail, such as awaiting_approval"`
	LastIndex int    `json:"last_index" jsonschema:"index of the newest event"`
	output.Result
	Damage          string           `json:"damage,omitempty" jsonschema:"its log is damaged and ends early: what came after cannot be read, and nothing will come"`
	Requests        []output.Request `json:"requests" jsonschema:"that wait for an answer"`
	RequestsLeftOut int              `json:"requests_left_out,omitempty" jsonschema:"so many more wait: session_get shows them"`
}

const (
	defaultJoin = 55 * time.Second
	maxJoin     = 110 * time.Second // less than what agents are told that a call may take
)

func (s toolset) addSessionJoin() {
	addTool(s, &sdk.Tool{
		Name: "session_join", Title: "Wait for sessions", Annotations: reads,
		Description: "Waits until all sessions, or any, have come to rest: idle with nothing in the queue, ended, or in need of an answer, for which nothing waits longer. " +
			"Gives the status, the final text and the error of each, and what it asks. Call it again while done is false.",
	}, s.sessionJoin)
}

func (s *Service) sessionJoin(ctx context.Context, c *call, in *joinInput) (*joinOutput, error) {
	wait, err := in.check()
	if err != nil {
		return nil, err
	}
	ids := in.SessionIDs
	if len(ids) == 0 {
		if ids, err = s.ownWork(ctx, c.who); err != nil {
			return nil, err
		}
	}
	ask, err := s.inquire(ctx, c)
	if err != nil {
		return nil, err
	}
	defer waiting(ctx, c.CallToolRequest, fmt.Sprintf("waiting for %d sessions", len(ids)))()
	list := make([]*joined, 0, len(ids))
	defer func() {
		for _, j := range list {
			j.feed.Close()
		}
	}()
	for _, id := range ids {
		f, err := feed.Open(ctx, s.door, id, "mcp")
		if err != nil {
			return nil, err
		}
		list = append(list, &joined{feed: f, who: c.who, ask: ask, prompt: in.PromptID})
	}
	if err := awaitAll(ctx, list, in.Wait == "any", wait); err != nil {
		return nil, err
	}
	out := &joinOutput{Sessions: make([]joinedOutput, len(list))}
	rest := 0
	for i, j := range list {
		if !j.resting {
			if err := j.look(ctx); err != nil {
				return nil, err
			}
		}
		s.waive(ctx, j)
		if out.Sessions[i] = j.output(); j.resting {
			rest++
		}
	}
	out.Done = rest == len(list) || in.Wait == "any" && rest > 0
	if in.Wait != "any" || !slices.ContainsFunc(list, (*joined).done) {
		for _, j := range list {
			if !j.gone {
				ask.want(j.feed.ID, j.told.Requests)
			}
		}
	}
	out.shorten()
	return out, ask.required()
}

// shorten cuts what is longest until the result is short enough: a text that is cut says so, and so does a request. Of very many sessions only
// what has become of each is left.
func (o *joinOutput) shorten() {
	for n := output.MaxResult; n >= output.LeastShare; n /= 2 {
		for i := range o.Sessions {
			o.Sessions[i].shorten(n)
		}
		if output.SizeOf(o) <= output.MaxResult {
			return
		}
	}
	for _, drop := range []func(*joinedOutput){(*joinedOutput).dropRequests, (*joinedOutput).dropTexts} {
		if output.SizeOf(o) <= output.MostResult {
			return
		}
		for i := range o.Sessions {
			drop(&o.Sessions[i])
		}
	}
}

func (o *joinedOutput) dropRequests() {
	o.RequestsLeftOut += len(o.Requests)
	o.Requests = []output.Request{}
}

func (o *joinedOutput) dropTexts() {
	o.Title, o.Damage = "", protocol.Head(o.Damage, output.LeastShare)
	o.Result.Shorten(0, output.LeastShare)
}

// shorten leaves a session room for n bytes.
func (o *joinedOutput) shorten(n int) {
	o.Result.Shorten(min(max(n-512, n/4, output.LeastShare), protocol.BriefMessage), max(n/4, output.LeastShare))
	var left int
	o.Requests, left = output.FewRequests(o.Requests, max(1, n/512))
	o.RequestsLeftOut += left
	for i := range o.Requests {
		o.Requests[i].Shorten(max(n/(2*len(o.Requests)), output.LeastShare/2))
	}
}

// text is the answer for models that are shown text.
func (o *joinOutput) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "done %t\n", o.Done)
	for i := range o.Sessions {
		x := &o.Sessions[i]
		fmt.Fprintf(&b, "session %s", x.SessionID)
		if x.Title != "" {
			fmt.Fprintf(&b, " (%s)", x.Title)
		}
		for _, word := range []string{x.PromptID, x.Outcome, x.State} {
			if word != "" {
				b.WriteString(", " + word)
			}
		}
		fmt.Fprintf(&b, ", last_index %d\n", x.LastIndex)
		output.WriteDamage(&b, x.Damage)
		x.Lines(&b)
		for k := range x.Requests {
			x.Requests[k].Lines(&b)
		}
		output.WriteLeftOut(&b, x.RequestsLeftOut)
	}
	return b.String()
}

func (in *joinInput) check() (time.Duration, error) {
	if in.Wait != "" && in.Wait != "all" && in.Wait != "any" {
		return 0, problem.Invalid("There is no such wait.", "wait is all or any.")
	}
	if len(in.SessionIDs) > output.MaxFamily {
		return 0, problem.Invalid(fmt.Sprintf("That are more than %d sessions.", output.MaxFamily), "Wait for some of them first.")
	}
	if in.PromptID != "" && len(in.SessionIDs) != 1 {
		return 0, problem.Invalid("prompt_id goes with one session.", "Give session_ids with the session that the prompt is of, alone.")
	}
	for i, id := range in.SessionIDs {
		if err := problem.CheckID(id); err != nil {
			return 0, err
		}
		if slices.Contains(in.SessionIDs[:i], id) {
			return 0, problem.Invalid("A session is named twice.", "Name each once.")
		}
	}
	switch {
	case in.WaitMs == nil:
		return defaultJoin, nil
	case *in.WaitMs < 0:
		return 0, problem.Invalid("wait_ms is 0 or more.", "Leave it out to wait as long as usual.")
	}
	return min(time.Duration(*in.WaitMs)*time.Millisecond, maxJoin), nil
}

// ownWork are the sessions that an agent has made and that are at work; where none is, those that have not ended.
func (s *Service) ownWork(ctx context.Context, who *access.Principal) ([]string, error) {
	if who.Scope != access.Agent {
		return nil, problem.Invalid("No session is named.", "Give session_ids; session_list lists the sessions.")
	}
	page, err := s.cfg.Backend.List(ctx, supervisor.Query{Parent: who.Session, Active: new(true), Limit: output.MaxFamily})
	if err != nil {
		return nil, err
	}
	var all, busy []string
	for i := range page.Sessions {
		x := &page.Sessions[i]
		all = append(all, x.ID)
		if x.Status.State.Busy() || x.Status.State == protocol.StateStarting {
			busy = append(busy, x.ID)
		}
	}
	switch {
	case len(busy) > 0:
		return busy, nil
	case len(all) == 0:
		return nil, problem.Invalid("No session works for you that has not ended.", "session_list has those that have; session_message or session_create starts one.")
	}
	return all, nil
}

// awaitAll returns when all sessions have come to rest, or one where that is enough or where it needs the caller, or the time is over.
func awaitAll(ctx context.Context, list []*joined, one bool, wait time.Duration) error {
	some, enough := context.WithTimeout(ctx, wait)
	defer enough()
	failures := make(chan error, len(list))
	var wg sync.WaitGroup
	for _, j := range list {
		wg.Go(func() { // ends with the session's rest, or the context
			switch err := j.rest(some); {
			case err == nil && (one || j.needsInput() || !j.gone && j.needed()):
				enough()
			case err != nil && some.Err() == nil:
				failures <- err
				enough()
			}
		})
	}
	wg.Wait()
	select {
	case err := <-failures:
		return err
	default:
		return ctx.Err()
	}
}
