package command

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command/session"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	watching "github.com/ringmaster-agents/ringmaster/cmd/ringmaster/watch"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// watchCommand is the command watch.
type watchCommand struct {
	con      *console.Console
	target   *lifecycle.Target
	kinds    []string
	selected resource.Selector
	labels   []string
	all      bool
	since    string
	state    string
	program  string
	shell    string
	parallel int
	retry    int
	timeout  time.Duration
}

// newWatch makes the command.
func newWatch(con *console.Console, target *lifecycle.Target) *cobra.Command {
	w := &watchCommand{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "watch [SESSION...] [--exec PROGRAM [-- ARG...]]",
		Short: "Run a program whenever a session needs somebody",
		Long: `Run a program whenever a session that is named or selected needs somebody: a request was opened, a turn has ended or
failed, the session has ended, or a limit of its budget is near or reached. Without --exec and --shell each notice is
printed, as a line of JSON. It has no text of an agent, but for the title where the agent gave its session one.

The program has the notice on its standard input, as JSON, and its ids and words in variables: RINGMASTER_KIND,
RINGMASTER_SESSION, RINGMASTER_CURSOR, RINGMASTER_AGENT, and by kind RINGMASTER_REQUEST, RINGMASTER_REQUEST_KIND,
RINGMASTER_TURN, RINGMASTER_STATUS, RINGMASTER_CAUSE, RINGMASTER_REASON, RINGMASTER_SCOPE, RINGMASTER_LIMIT and
RINGMASTER_STATE. What stands behind -- are its arguments. --exec uses no shell; --shell hands its text to sh -c.

Notices of a session come in order, the next when the program has ended. One that takes longer than --timeout is ended
with all that it has started. One that fails is told on standard error, run again as often as --retry says, and then
left behind. Lost connections and a daemon that is started again lose nothing. Ctrl-C ends the command and what it runs.

The command begins with what happens from now on. With --state it keeps in a file how far it has told, and begins there
the next time: every event is told at least once then, and again where the command was killed in the middle.`,
		Example: `  ringmaster watch --all --exec ./notify.sh
  ringmaster watch --label team:core --kind request_opened --shell 'jq -r .data.requestId >> requests'
  ringmaster watch --all --kind turn_failed,budget --state watch.json --retry 3 --exec page-me -- --urgent
  ringmaster watch @last`,
		ValidArgsFunction: session.CompleteSession(target),
		RunE:              w.run,
	}
	f := cmd.Flags()
	words := make([]string, 0, len(notice.Kinds()))
	for _, k := range notice.Kinds() {
		words = append(words, string(k))
	}
	f.StringSliceVar(&w.kinds, "kind", words, "what is told")
	f.StringVar(&w.program, "exec", "", "run this program for each notice, without a shell")
	f.StringVar(&w.shell, "shell", "", "run this text with sh -c for each notice")
	f.IntVar(&w.parallel, "parallel", 1, "how many run at once, at most 64: of several sessions, never two of one")
	f.IntVar(&w.retry, "retry", 0, "how often a program that has failed is run again")
	f.DurationVar(&w.timeout, "timeout", time.Minute, "end a program that takes longer; 0: never")
	f.StringVar(&w.since, "since", "", "begin behind this cursor of the one session that is named")
	f.StringVar(&w.state, "state", "", "keep in this file how far everything was told, and begin there")
	f.StringArrayVar(&w.labels, "label", nil, "select sessions with this label, as KEY:VALUE; may be repeated")
	f.StringVar(&w.selected.Agent, "agent", "", "select sessions of this agent")
	f.StringVar(&w.selected.Owner, "owner", "", "select sessions of this owner")
	f.StringVar(&w.selected.Under, "under", "", "select sessions that work for this one, directly or for one that does")
	f.BoolVar(&w.all, "all", false, "select all sessions, also those to come")
	session.CompleteAgent(cmd)
	console.CompleteWords(cmd, "kind", words...)
	return cmd
}

func (w *watchCommand) run(cmd *cobra.Command, args []string) error {
	var arguments []string
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		args, arguments = args[:dash], args[dash:]
	}
	job := watching.Watch{
		Parallel: w.parallel, Retry: w.retry, State: w.state, Out: w.con.Out, Say: w.con.Say, Now: w.con.Now, Find: w.target.Find,
	}
	if err := w.check(args, arguments); err != nil {
		return err
	}
	var err error
	if job.Command, err = w.command(arguments); err != nil {
		return err
	}
	if w.since != "" {
		since, err := protocol.ParseCursor(w.since)
		if err != nil {
			return exit.Usagef("--since: %v", err)
		}
		job.Since = &since
	}
	for _, k := range w.kinds {
		job.Kinds = append(job.Kinds, notice.Kind(k))
	}
	ctx := cmd.Context()
	c, err := w.target.Connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := w.choose(ctx, c, args, &job); err != nil {
		return err
	}
	job.Client = c
	err = job.Run(ctx)
	if errors.Is(err, exit.ErrStopped) {
		return exit.ErrDone // Ctrl-C is how this command ends
	}
	return err
}

// check looks at what the flags say together.
func (w *watchCommand) check(args, arguments []string) error {
	selects := w.all || w.selected.Agent != "" || w.selected.Owner != "" || w.selected.Under != "" || len(w.labels) > 0
	switch {
	case len(args) == 0 && !selects:
		return exit.WithHint(exit.Usagef("no session is named"), "name sessions, or select them with --label, --agent, --owner, --under or --all")
	case w.program != "" && w.shell != "":
		return exit.Usagef("--exec excludes --shell")
	case len(arguments) > 0 && w.program == "":
		return exit.WithHint(exit.Usagef("what stands behind -- are arguments of --exec, and there is none"), "name the program: --exec PROGRAM -- ARG...")
	case w.since != "" && (len(args) != 1 || selects):
		return exit.Usagef("--since is a cursor of one session: name it, and select none")
	case w.since != "" && w.state != "":
		return exit.Usagef("--since excludes --state, which says where to begin")
	case w.parallel < 1 || w.parallel > 64:
		return exit.Usagef("--parallel is 1 to 64")
	case w.retry < 0 || w.timeout < 0:
		return exit.Usagef("--retry and --timeout are 0 or more")
	}
	for _, k := range w.kinds {
		if !slices.Contains(notice.Kinds(), notice.Kind(k)) {
			return exit.Usagef("there is no kind %q; there are: %s", k, fmt.Sprint(notice.Kinds()))
		}
	}
	return nil
}

// command is what is run; nil: nothing.
func (w *watchCommand) command(arguments []string) (*watching.Command, error) {
	c := &watching.Command{Timeout: w.timeout, Out: w.con.Out, Err: w.con.Err}
	switch {
	case w.shell != "":
		c.Args = []string{"sh", "-c", w.shell}
	case w.program != "":
		path, err := exec.LookPath(w.program)
		if err != nil {
			return nil, exit.Usagef("--exec: %v", err)
		}
		c.Args = append([]string{path}, arguments...)
	default:
		return nil, nil
	}
	return c, nil
}

// choose finds the sessions that are meant.
func (w *watchCommand) choose(ctx context.Context, c *client.Client, args []string, job *watching.Watch) error {
	for _, name := range args {
		id, err := session.Resolve(ctx, c, name)
		if err != nil {
			return err
		}
		if !slices.Contains(job.Sessions, id) {
			job.Sessions = append(job.Sessions, id)
		}
	}
	s := w.selected
	var err error
	if s.Labels, err = session.Labels(w.labels); err != nil {
		return err
	}
	if s.Under != "" {
		if s.Under, err = session.Resolve(ctx, c, s.Under); err != nil {
			return err
		}
	}
	if w.all || s.Agent != "" || s.Owner != "" || s.Under != "" || s.Labels != nil {
		job.Select = &s
	}
	return nil
}
