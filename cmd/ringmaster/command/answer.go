package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func (p *Program) answer() *cobra.Command {
	var allow, deny, stop, always, cancel bool
	var options, texts []string
	var message string
	cmd := &cobra.Command{
		Use:   "answer SESSION REQUEST",
		Short: "Answer what an agent asks: an approval or a question",
		Long: `Answer what an agent asks. The first answer wins: a second one is told who was first.

An approval takes --allow, --always, --deny, --stop, or --option with one of its options. --deny stops the turn as well where the
agent has no other way to deny. A question takes --option or --text, once per question, in order; several options of one
question are separated by commas. An option is named by its id, its label, or its number from 1 as it is listed. What a
sub-agent asks can be answered in its own session and in its root session.`,
		Args: args(2, 2),
		Example: `  ringmaster answer 3f2a r1 --allow
  ringmaster answer 3f2a r1 --deny --message "use git mv"
  ringmaster answer 3f2a r2 --option "Yes, all of them"
  ringmaster answer 3f2a r2 --option 2
  ringmaster answer 3f2a r3 --text "call it ringmaster"`,
		ValidArgsFunction: p.completeRequest,
		RunE: func(cmd *cobra.Command, args []string) error {
			a := resource.RequestAnswer{Message: message}
			given := 0
			for _, flag := range []struct {
				on      bool
				outcome protocol.Outcome
				option  string
			}{
				{allow, protocol.OutcomeAllowed, ""},
				{always, "", protocol.AllowAlways},
				{deny, protocol.OutcomeDenied, ""},
				{stop, "", protocol.DenyStop},
				{cancel, protocol.OutcomeCancelled, ""},
			} {
				if flag.on {
					given++
					a.Outcome, a.Option = flag.outcome, flag.option
				}
			}
			if len(options)+len(texts) > 0 {
				given++
			}
			if given != 1 {
				return usagef("want one of --allow, --always, --deny, --stop, --cancel, --option and --text")
			}
			c, id, err := p.session(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			d, _, err := c.Show(cmd.Context(), id)
			if err != nil {
				return err
			}
			asked := requestOf(&d, args[1])
			if len(options)+len(texts) > 0 {
				if err := choose(asked, options, texts, &a); err != nil {
					return err
				}
			}
			done, err := c.Answer(cmd.Context(), id, args[1], a)
			if err != nil {
				return err
			}
			text := args[1] + " " + string(done.Outcome)
			if done.Option != "" {
				text += " (" + done.Option + ")"
			} else if chosen := chosenText(asked, a.Answers); chosen != "" {
				text += " (" + chosen + ")"
			}
			if asked != nil {
				text += ": " + subjectOf(asked)
			}
			_, err = fmt.Fprintln(p.Out, oneLine(text, 0)+"\n  in "+oneLine(placeOf(&d.SessionSummary), 0))
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&allow, "allow", false, "allow it this once")
	f.BoolVar(&always, "always", false, "allow it from now on")
	f.BoolVar(&deny, "deny", false, "deny it; the agent goes on, if it can")
	f.BoolVar(&stop, "stop", false, "deny it and stop the turn")
	f.BoolVar(&cancel, "cancel", false, "answer nothing")
	f.StringArrayVar(&options, "option", nil, "id, label or number of an option")
	f.StringArrayVar(&texts, "text", nil, "an answer in your own words")
	f.StringVar(&message, "message", "", "a word to the agent, where it takes one")
	return cmd
}

// chosenText says which options were chosen, by their labels, and what was answered in one's own words.
func chosenText(asked *protocol.RequestOpened, answers [][]string) string {
	var words []string
	for i, list := range answers {
		for _, word := range list {
			if asked != nil && i < len(asked.Questions) {
				known := asked.Questions[i].Options
				if n := slices.IndexFunc(known, func(o protocol.Option) bool { return o.ID == word }); n >= 0 && known[n].Label != "" {
					word = known[n].Label
				}
			}
			words = append(words, word)
		}
	}
	return terminal.Cut(strings.Join(words, ", "), 60)
}

// requestOf finds an open request; nil: it is not open, or not any more.
func requestOf(d *resource.SessionDetail, request string) *protocol.RequestOpened {
	for i := range d.Requests {
		if d.Requests[i].RequestID == request {
			return &d.Requests[i]
		}
	}
	return nil
}

// subjectOf says what a request is about: the tool and its subject, or the question.
func subjectOf(r *protocol.RequestOpened) string {
	title := r.Title
	if r.ToolName != "" {
		title = r.ToolName + ": " + title
	}
	for _, l := range strings.Split(r.Text, "\n") {
		if l = strings.TrimSpace(l); l != "" && !strings.Contains(title, l) {
			return title + " " + l
		}
	}
	return title
}

// placeOf says which session that was, so that a person sees when it was not the one that was meant.
func placeOf(s *resource.SessionSummary) string {
	text := "session " + s.ID + " · " + s.Agent + " · " + s.Cwd
	if title := titleText(s); title != s.Cwd {
		text += " · " + terminal.Cut(title, 60)
	}
	return text
}

// choose puts options and texts into an answer.
func choose(asked *protocol.RequestOpened, options, texts []string, a *resource.RequestAnswer) (err error) {
	if asked != nil && asked.Kind == protocol.RequestApproval {
		if len(options) != 1 || len(texts) > 0 {
			return usagef("an approval takes one --option")
		}
		a.Option, err = pick(asked.Options, options[0])
		return err
	}
	a.Outcome = protocol.OutcomeAnswered
	if asked != nil && asked.Kind == protocol.RequestCallerTool {
		if len(options) > 0 || len(texts) != 1 {
			return usagef("a caller's tool gives one --text")
		}
		a.Result, err = json.Marshal(texts[0])
		return err
	}
	for i, o := range options {
		var known []protocol.Option
		if asked != nil && i < len(asked.Questions) {
			known = asked.Questions[i].Options
		}
		choices, err := pickSome(known, o)
		if err != nil {
			return err
		}
		a.Answers = append(a.Answers, choices)
	}
	for _, text := range texts {
		a.Answers = append(a.Answers, []string{text})
	}
	return nil
}

// pickSome finds the ids of one option or, separated by commas, of several. A label may have commas of its own, so the whole goes first.
func pickSome(known []protocol.Option, names string) ([]string, error) {
	if one, err := pick(known, names); err == nil && len(known) > 0 {
		return []string{one}, nil
	}
	var list []string
	for _, name := range strings.Split(names, ",") {
		one, err := pick(known, strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if slices.Contains(list, one) {
			return nil, usagef("%q names the option %q twice", names, one)
		}
		list = append(list, one)
	}
	return list, nil
}

// pick finds the id of an option by the id itself, the label in any case of letters, or the number from 1. Of a request
// that is not open any more nothing is known: the daemon will say who answered it.
func pick(known []protocol.Option, name string) (string, error) {
	if len(known) == 0 {
		return name, nil
	}
	ids := make([]string, 0, len(known))
	for _, o := range known {
		if o.ID == name {
			return o.ID, nil
		}
	}
	for _, o := range known {
		if strings.EqualFold(o.Label, name) {
			return o.ID, nil
		}
		ids = append(ids, o.ID)
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(known) {
		return known[n-1].ID, nil
	}
	return "", usagef("there is no option %q; there are: %s, or their numbers 1 to %d", name, strings.Join(ids, ", "), len(known))
}

// completeRequest completes a session, then its open requests.
func (p *Program) completeRequest(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) != 1 {
		return p.completeSession(cmd, args, typed)
	}
	c, err := p.find() // a daemon is not started for a key that was pressed
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer c.Close()
	id, err := resolve(cmd.Context(), c, args[0])
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	d, _, err := c.Show(cmd.Context(), id)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var list []string
	for _, r := range d.Requests {
		list = append(list, r.RequestID+"\t"+oneLine(r.Title, 60))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
