package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// answer is the command of that name.
type answer struct {
	con                               *console.Console
	target                            *lifecycle.Target
	allow, deny, stop, always, cancel bool
	options, texts                    []string
	message                           string
}

// Answer makes the command.
func Answer(con *console.Console, target *lifecycle.Target) *cobra.Command {
	a := &answer{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "answer SESSION REQUEST",
		Short: "Answer what an agent asks: an approval or a question",
		Long: `Answer what an agent asks. The first answer wins: a second one is told who was first.

An approval takes --allow, --always, --deny, --stop, or --option with one of its options. --deny stops the turn as well where the
agent has no other way to deny. A question takes --option or --text, once per question, in order; several options of one
question are separated by commas. An option is named by its id, its label, or its number from 1 as it is listed. What a
sub-agent asks can be answered in its own session and in its root session.`,
		Args: console.Args(2, 2),
		Example: `  ringmaster answer 3f2a r1 --allow
  ringmaster answer 3f2a r1 --deny --message "use git mv"
  ringmaster answer 3f2a r2 --option "Yes, all of them"
  ringmaster answer 3f2a r2 --option 2
  ringmaster answer 3f2a r3 --text "call it ringmaster"`,
		ValidArgsFunction: completeRequest(target),
		RunE:              a.run,
	}
	f := cmd.Flags()
	f.BoolVar(&a.allow, "allow", false, "allow it this once")
	f.BoolVar(&a.always, "always", false, "allow it from now on")
	f.BoolVar(&a.deny, "deny", false, "deny it; the agent goes on, if it can")
	f.BoolVar(&a.stop, "stop", false, "deny it and stop the turn")
	f.BoolVar(&a.cancel, "cancel", false, "answer nothing")
	f.StringArrayVar(&a.options, "option", nil, "id, label or number of an option")
	f.StringArrayVar(&a.texts, "text", nil, "an answer in your own words")
	f.StringVar(&a.message, "message", "", "a word to the agent, where it takes one")
	return cmd
}

func (a *answer) run(cmd *cobra.Command, args []string) error {
	reply := resource.RequestAnswer{Message: a.message}
	given := 0
	for _, flag := range []struct {
		on      bool
		outcome protocol.Outcome
		option  string
	}{
		{a.allow, protocol.OutcomeAllowed, ""},
		{a.always, "", protocol.AllowAlways},
		{a.deny, protocol.OutcomeDenied, ""},
		{a.stop, "", protocol.DenyStop},
		{a.cancel, protocol.OutcomeCancelled, ""},
	} {
		if flag.on {
			given++
			reply.Outcome, reply.Option = flag.outcome, flag.option
		}
	}
	if len(a.options)+len(a.texts) > 0 {
		given++
	}
	if given != 1 {
		return exit.Usagef("want one of --allow, --always, --deny, --stop, --cancel, --option and --text")
	}
	c, session, err := open(cmd.Context(), a.target, args[0])
	if err != nil {
		return err
	}
	defer c.Close()
	d, err := session.Show(cmd.Context())
	if err != nil {
		return err
	}
	asked := requestOf(&d, args[1])
	if len(a.options)+len(a.texts) > 0 {
		if err := choose(asked, a.options, a.texts, &reply); err != nil {
			return err
		}
	}
	done, err := session.Answer(cmd.Context(), args[1], reply)
	if err != nil {
		return err
	}
	text := args[1] + " " + string(done.Outcome)
	if done.Option != "" {
		text += " (" + done.Option + ")"
	} else if chosen := chosenText(asked, reply.Answers); chosen != "" {
		text += " (" + chosen + ")"
	}
	if asked != nil {
		text += ": " + subjectOf(asked)
	}
	_, err = fmt.Fprintln(a.con.Out, console.OneLine(text, 0)+"\n  in "+console.OneLine(placeOf(&d.SessionSummary), 0))
	return err
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
	text := r.Said()
	if text == "" && r.Diff != "" {
		text = r.Subject
	}
	for _, l := range strings.Split(text, "\n") {
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
