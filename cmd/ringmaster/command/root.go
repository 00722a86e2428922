package command

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command/session"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// Program is one run of the command line.
type Program struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// Signals delivers interrupts and terminations; nil: those of the process.
	Signals <-chan os.Signal
	// Now is the wall clock; nil: time.Now.
	Now func() time.Time
	// Adopt has orphans of agents come to this process, which must begin no others then.
	Adopt bool
}

// Main runs the command line of the process and returns its exit code.
func Main() int {
	p := &Program{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Adopt: true}
	return p.Run(context.Background(), os.Args[1:])
}

// Run runs a command line and returns its exit code.
func (p *Program) Run(ctx context.Context, args []string) int {
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Signals == nil {
		c := make(chan os.Signal, 2)
		signal.Notify(c, os.Interrupt, syscall.SIGTERM)
		defer signal.Stop(c)
		p.Signals = c
	}
	ctx, cancel := context.WithCancelCause(ctx)
	signals := console.NewSignals(ctx, p.Signals, cancel)
	con := &console.Console{In: p.In, Out: p.Out, Err: p.Err, Now: p.Now, Signals: signals, Version: buildVersion(), Adopt: p.Adopt}
	began := false // the command line is right, and its command has begun
	root := newRoot(con)
	onBegin(root, func(own bool) {
		began = true
		if !own {
			signals.EndCommand()
		}
	})
	root.SetArgs(args)
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	versionFlag(root, con.Version)
	cmd, err := root.ExecuteContextC(ctx)
	cancel(nil)
	signals.Wait()
	if errors.Is(err, syscall.EPIPE) { // nobody reads any more, which is how a reader says that it has seen enough
		return exit.OK
	}
	var own *exit.Error
	if err != nil && !began && !errors.As(err, &own) {
		err = &exit.UsageError{Err: err}
	}
	var usage *exit.UsageError
	if errors.As(err, &usage) {
		usage.Command = cmd.CommandPath()
	}
	if err != nil {
		exit.Report(p.Err, err)
	}
	return exit.CodeOf(err)
}

// onBegin has begins called when a command begins, whose line has been found right then; own: it reads its signals itself.
func onBegin(c *cobra.Command, begins func(own bool)) {
	if run := c.RunE; run != nil {
		_, own := c.Annotations[console.OwnSignals]
		c.RunE = func(cmd *cobra.Command, args []string) error {
			begins(own)
			return run(cmd, args)
		}
	}
	for _, sub := range c.Commands() {
		onBegin(sub, begins)
	}
}

// newRoot makes the command line: all commands, and the flags that say which daemon is meant.
func newRoot(con *console.Console) *cobra.Command {
	root := &cobra.Command{
		Use:   "ringmaster",
		Short: "Supervise sessions of coding agents",
		Long: `Ringmaster runs coding agents, turns what each says into one numbered log per session, and serves the logs
to any number of readers over HTTP.

A session may be named by its id, by an unambiguous beginning of it, or as @last: the newest one that a person made, not one that works for another.

` + exit.Codes,
		Example: `  ringmaster demo                                   see it work, with nothing installed
  ringmaster                                        in a terminal, with a daemon: lead all sessions
  ringmaster run --agent pi "What is in this folder?"
  ringmaster tail @last`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	target := &lifecycle.Target{Console: con}
	root.RunE = session.Alone(con, target)
	target.AddTo(root.PersistentFlags())
	_ = root.MarkPersistentFlagDirname("data")
	_ = root.MarkPersistentFlagFilename("config", "toml")
	_ = root.MarkPersistentFlagFilename("token-file")
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, construct := range g.commands {
			c := construct(con, target)
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID("start")
	root.SetCompletionCommandGroupID("daemon")
	root.AddCommand(newScripted(con, target))
	return root
}
