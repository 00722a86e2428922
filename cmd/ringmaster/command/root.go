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

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
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

	data, address, tokenFile, config string
	running                          bool   // a command has begun: errors before are of the command line
	stoppable                        func() // has the first signal end the command; nil once it does
}

// ownSignals annotates a command that reads Program.Signals itself.
const ownSignals = "signals"

// errStopped is why a command ended that a signal stopped.
var errStopped = &exitError{code: exitSignal}

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
	ended := make(chan struct{})
	p.stoppable = func() {
		go func() {
			defer close(ended)
			select {
			case <-p.Signals:
				cancel(errStopped)
			case <-ctx.Done():
			}
		}()
	}
	root := p.root()
	root.SetArgs(args)
	root.SetIn(p.In)
	root.SetOut(p.Out)
	root.SetErr(p.Err)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	versionFlag(root)
	cmd, err := root.ExecuteContextC(ctx)
	cancel(nil)
	if p.running && p.stoppable == nil {
		<-ended
	}
	if isReaderLeft(err) {
		return exitOK
	}
	var exit *exitError
	if err != nil && !p.running && !errors.As(err, &exit) {
		err = &usageError{err: err}
	}
	var usage *usageError
	if errors.As(err, &usage) {
		usage.command = cmd.CommandPath()
	}
	if err != nil {
		report(p.Err, err)
	}
	return exitCode(err)
}

func (p *Program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "ringmaster",
		Short: "Supervise sessions of coding agents",
		Long: `Ringmaster runs coding agents, turns what each says into one numbered log per session, and serves the logs
to any number of readers over HTTP.

A session may be named by its id, by an unambiguous beginning of it, or as @last: the newest one that a person made, not one that works for another.

` + exitCodes,
		Example: `  ringmaster demo                                   see it work, with nothing installed
  ringmaster run --agent pi "What is in this folder?"
  ringmaster tail @last`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	f := root.PersistentFlags()
	f.StringVar(&p.data, "data", "", "data folder of the daemon (default $"+datafolder.EnvData+", else ~/.local/state/ringmaster)")
	f.StringVar(&p.address, "address", "", "daemon's URL, HOST:PORT or unix socket (default: as its data folder says)")
	f.StringVar(&p.tokenFile, "token-file", "", "file with the daemon's token (default: token in the data folder)")
	f.StringVar(&p.config, "config", "", "configuration file (default $"+settings.EnvFile+", else ~/.config/ringmaster/config.toml)")
	_ = root.MarkPersistentFlagDirname("data")
	_ = root.MarkPersistentFlagFilename("config", "toml")
	_ = root.MarkPersistentFlagFilename("token-file")
	root.AddGroup(
		&cobra.Group{ID: "start", Title: "Start here:"},
		&cobra.Group{ID: "session", Title: "Sessions:"},
		&cobra.Group{ID: "read", Title: "Reading:"},
		&cobra.Group{ID: "daemon", Title: "The daemon and its agents:"},
	)
	root.SetHelpCommandGroupID("start")
	root.SetCompletionCommandGroupID("daemon")
	add := func(group string, cmds ...*cobra.Command) {
		for _, c := range cmds {
			c.GroupID = group
			p.begin(c)
			root.AddCommand(c)
		}
	}
	add("start", p.demo(), p.run())
	add("session", p.newSession(), p.native(), p.list(), p.show(), p.send(), p.answer(), p.policy(), p.prompts(), p.model(), p.mode(),
		p.interrupt(), p.end(), p.remove())
	add("read", p.tail(), p.log(), p.state(), p.raw(), p.importLog())
	add("daemon", p.up(), p.down(), p.restart(), p.status(), p.logs(), p.serve(), p.roots(), p.configuration(), p.service(), p.mcp(), p.token(), p.agents(),
		p.doctor(), p.selftest(), p.version())
	scripted := p.scriptedAgent()
	p.begin(scripted)
	root.AddCommand(scripted)
	return root
}

// begin notes when a command line has been found right and its command begins.
func (p *Program) begin(c *cobra.Command) {
	run := c.RunE
	c.RunE = func(cmd *cobra.Command, args []string) error {
		p.running = true
		if _, own := cmd.Annotations[ownSignals]; !own {
			p.stopOnSignal()
		}
		return run(cmd, args)
	}
}

// stopOnSignal has the first signal end the command.
func (p *Program) stopOnSignal() {
	if p.stoppable != nil {
		p.stoppable()
		p.stoppable = nil
	}
}

// folder is the data folder: of the command line, the environment, the configuration file, or the default.
func (p *Program) folder() (datafolder.Folder, error) {
	if p.data != "" {
		return datafolder.At(p.data)
	}
	if os.Getenv(datafolder.EnvData) != "" {
		return datafolder.Default()
	}
	file, err := p.configFile()
	if err != nil {
		return datafolder.Folder{}, err
	}
	path, ok, err := file.Folder(settings.Data)
	if err != nil {
		return datafolder.Folder{}, err
	}
	if ok {
		return datafolder.At(path)
	}
	return datafolder.Default()
}

// find is the client of the daemon that there is.
func (p *Program) find() (*client.Client, error) {
	folder, err := p.folder()
	if err != nil && p.address == "" {
		return nil, err
	}
	return client.Find(client.Place{Folder: folder, Address: p.address, TokenFile: p.tokenFile})
}

// args bounds the number of arguments; upTo < 0: any number from least on.
func args(least, upTo int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) error {
		if n := len(given); n < least || upTo >= 0 && n > upTo {
			return usagef("%s: wrong number of arguments (%d); usage: %s", cmd.Name(), n, cmd.UseLine())
		}
		return nil
	}
}
