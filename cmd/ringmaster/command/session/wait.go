package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// await is the command wait.
type await struct {
	con      *console.Console
	target   *lifecycle.Target
	until    []string
	seq      uint64
	turn     string
	prompt   string
	selected resource.Selector
	labels   []string
	all      bool // every session
	any      bool
	asJSON   bool
	timeout  time.Duration
}

// Wait makes the command.
func Wait(con *console.Console, target *lifecycle.Target) *cobra.Command {
	w := &await{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "wait [SESSION...]",
		Short: "Wait until sessions are at rest, or until something else holds of them",
		Long: `Wait until something holds of all sessions that are named or selected, or of one of them with --any. Without a
condition it is rest: nothing happens in the session unless somebody does something. It is idle and no prompt waits, it
asks for something, or it has ended. Of several conditions one is enough.

Sessions that come to match a selection while the command waits are waited for too. Lost connections are taken up
again. What holds is printed, a line for each session; for a prompt its answer.`,
		Example: `  ringmaster wait @last
  ringmaster wait 3f2a 91c0 --any --until request
  ringmaster wait --label team:core --until ended --timeout 10m
  ringmaster wait 3f2a --prompt p4`,
		ValidArgsFunction: completeSession(target),
		RunE:              w.run,
	}
	f := cmd.Flags()
	f.StringSliceVar(&w.until, "until", nil, "what is waited for: rest, request (something is asked), ended, or a state such as idle")
	f.Uint64Var(&w.seq, "seq", 0, "until the log has come to the event with this number")
	f.StringVar(&w.turn, "turn", "", "until this turn of the session has ended, such as t3; current is the one that runs")
	f.StringVar(&w.prompt, "prompt", "", "until this prompt of the session is settled, such as p3")
	f.BoolVar(&w.any, "any", false, "until it holds of one session; without it, of all at the same moment")
	f.StringArrayVar(&w.labels, "label", nil, "select sessions with this label, as KEY:VALUE; may be repeated")
	f.StringVar(&w.selected.Agent, "agent", "", "select sessions of this agent")
	f.StringVar(&w.selected.Owner, "owner", "", "select sessions of this owner")
	f.StringVar(&w.selected.Under, "under", "", "select sessions that work for this one, directly or for one that does")
	f.BoolVar(&w.all, "all", false, "select all sessions that have not ended")
	f.DurationVar(&w.timeout, "timeout", 0, "give up after this time, such as 90s or 10m; 0: never")
	f.BoolVar(&w.asJSON, "json", false, "the daemon's answer as it is")
	CompleteAgent(cmd)
	console.CompleteWords(cmd, "until", append([]string{"rest", "request", "ended"}, states...)...)
	return cmd
}

func (w *await) run(cmd *cobra.Command, args []string) error {
	r, err := w.request()
	if err != nil {
		return err
	}
	if len(args) == 0 && r.Select == nil {
		return exit.WithHint(exit.Usagef("no session is named"), "name sessions, or select them with --label, --agent, --owner, --under or --all")
	}
	c, err := w.target.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	for _, name := range args {
		id, err := resolve(cmd.Context(), c, name)
		if err != nil {
			return err
		}
		r.Sessions = append(r.Sessions, id)
	}
	if r.Select != nil && r.Select.Under != "" {
		if r.Select.Under, err = resolve(cmd.Context(), c, r.Select.Under); err != nil {
			return err
		}
	}
	ctx := cmd.Context()
	if w.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, w.timeout, errTimeOver)
		defer cancel()
	}
	var raw json.RawMessage
	a, err := c.Await(client.WithRaw(ctx, &raw), r)
	if errors.Is(err, errTimeOver) {
		return &exit.Error{Code: exit.TimeOver, Err: fmt.Errorf("it did not come within %s", w.timeout)}
	}
	if err != nil {
		return err
	}
	if w.asJSON {
		err = console.PrintJSON(w.con.Out, raw)
	} else {
		err = w.print(&a)
	}
	if err != nil {
		return err
	}
	return codeOf(&a)
}

// errTimeOver says that --timeout is over.
var errTimeOver = errors.New("the time is over")

// request is what the flags say.
func (w *await) request() (resource.WaitRequest, error) {
	r := resource.WaitRequest{Until: resource.WaitUntil{Seq: w.seq, Turn: w.turn, Prompt: w.prompt}}
	if w.any {
		r.Of = resource.WaitAny
	}
	for _, u := range w.until {
		switch u {
		case "rest":
			r.Until.Rest = true
		case "request":
			r.Until.Request = true
		case "ended":
			r.Until.Ended = true
		default:
			r.Until.States = append(r.Until.States, protocol.State(u))
		}
	}
	if len(w.until) == 0 && w.seq == 0 && w.turn == "" && w.prompt == "" {
		r.Until.Rest = true
	}
	s := w.selected
	var err error
	if s.Labels, err = labelsOf(w.labels); err != nil {
		return r, err
	}
	if w.all {
		s.Active = new(true)
	}
	if w.all || s.Agent != "" || s.Owner != "" || s.Under != "" || s.Labels != nil {
		r.Select = &s
	}
	return r, nil
}

// print shows the sessions of an answer: of one whose prompt was waited for, what became of it.
func (w *await) print(a *resource.WaitAnswer) error {
	var t console.Table
	for i := range a.Sessions {
		s := &a.Sessions[i]
		state, because := string(s.State), string(s.Because)
		if s.Deleted {
			state = "deleted"
		}
		if s.Outcome != nil {
			because += " " + s.Outcome.Outcome
		}
		t.Add(console.ShortID(s.SessionID), state, because)
	}
	if err := t.Print(w.con.Out); err != nil {
		return err
	}
	if a.LeftOut > 0 {
		w.con.Say(fmt.Sprintf("and %d sessions more", a.LeftOut))
	}
	if len(a.Sessions) != 1 || a.Sessions[0].Outcome == nil {
		return nil
	}
	o := a.Sessions[0].Outcome
	if o.Text != "" {
		if _, err := fmt.Fprintln(w.con.Out, terminal.Strip(o.Text)); err != nil {
			return err
		}
	}
	if o.Bytes > 0 {
		id := a.Sessions[0].SessionID
		w.con.Say(fmt.Sprintf("that is the beginning of %d bytes; the whole is the entry %s of: ringmaster log %s", o.Bytes, o.EntryID, id))
	}
	return nil
}

// codeOf is the exit of the command.
func codeOf(a *resource.WaitAnswer) error {
	if a.Never {
		return exit.WithHint(errors.New("it cannot come any more: a session was deleted"), "ringmaster ls shows the sessions")
	}
	for i := range a.Sessions {
		o := a.Sessions[i].Outcome
		switch {
		case o == nil || o.Outcome == resource.WaitCompleted:
		case o.Outcome == resource.WaitFailed:
			return &exit.Error{Code: exit.Failed, Err: errors.New(cmp.Or(o.Error, "the turn failed"))}
		default:
			return &exit.Error{Code: exit.Interrupted}
		}
	}
	return nil
}
