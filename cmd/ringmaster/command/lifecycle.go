package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

func (p *Program) up() *cobra.Command {
	var flags serveFlags
	var set *pflag.FlagSet
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Start the daemon in the background, to stay",
		Long: `Start the daemon in the background. It stays until ringmaster down, with the flags of ringmaster serve. One that runs already gets the
folders of --root; one that a command has started, and that would end itself, is started anew.

Commands that need a daemon start one by themselves: up is for what reaches the daemon in other ways, over HTTP and from MCP hosts.
Where neither a flag nor the configuration names a root, agents may work where ringmaster run and new are called.`,
		Args: args(0, 0),
		Example: `  ringmaster up
  ringmaster up --root ~/src --listen 127.0.0.1:8080`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if p.address != "" {
				return usagef("up starts the daemon of a data folder: name it with --data, not with --address")
			}
			s, err := p.settingsOf(&flags, set)
			if err != nil {
				return err
			}
			if err := s.whole(); err != nil {
				return err
			}
			flags.background = true
			if _, err := p.serveConfig(s); err != nil { // before anything is ended or begun
				return err
			}
			folder, err := p.folder()
			if err != nil {
				return err
			}
			return p.bringUp(cmd.Context(), folder, s)
		},
	}
	set = flags.add(cmd)
	return cmd
}

// bringUp has a daemon run that stays.
func (p *Program) bringUp(ctx context.Context, folder datafolder.Folder, s *daemonSettings) error {
	l := launch{folder: folder, flags: append(p.configArgs(), s.args()...)}
	if !s.given("root") {
		l.roots = folder.Remembered()
	}
	c, err := p.reach(ctx)
	if err == nil {
		defer c.Close()
		a, err := folder.ReadAddress()
		if err != nil {
			return err
		}
		if a.IdleExit == 0 || s.given("idle-exit") {
			return p.widen(ctx, c, a, s)
		}
		if err := p.unlessAtWork(ctx, c, "it would be started anew, to stay"); err != nil {
			return err
		}
		if !s.given("root") {
			l.roots = a.Roots
		}
		if err := p.stop(ctx, folder, stopSignal); err != nil {
			return err
		}
	}
	c, _, err = p.startDaemon(ctx, l)
	if err != nil {
		return err
	}
	defer c.Close()
	return p.tell(ctx, folder, c)
}

// widen gives a daemon that runs the roots of flags.
func (p *Program) widen(ctx context.Context, c *client.Client, a datafolder.Address, s *daemonSettings) error {
	p.say("a daemon runs already; it gets the folders of --root, and keeps its other settings")
	for _, r := range s.flags.roots {
		resolved, err := filepath.EvalSymlinks(r)
		if err == nil && !within(a.Roots, resolved) {
			_, err = c.AddRoot(ctx, r)
		}
		if err != nil {
			return err
		}
	}
	folder, err := p.folder()
	if err != nil {
		return err
	}
	return p.tell(ctx, folder, c)
}

// whole makes the paths of flags whole: a daemon in the background works in another folder.
func (s *daemonSettings) whole() error {
	for _, path := range []*string{&s.flags.certFile, &s.flags.keyFile, &s.flags.socket} {
		if *path == "" || *path == none {
			continue
		}
		abs, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = abs
	}
	for i, r := range s.flags.roots {
		abs, err := filepath.Abs(r)
		if err != nil {
			return err
		}
		s.flags.roots[i] = abs
	}
	return nil
}

// unlessAtWork refuses what would interrupt turns.
func (p *Program) unlessAtWork(ctx context.Context, c *client.Client, why string) error {
	busy, err := atWork(ctx, c)
	if err != nil || busy == 0 {
		return err
	}
	return withHint(fmt.Errorf("the daemon runs already, and %s: %s", sessionsAtWork(busy), why),
		"wait for them (ringmaster ls --active), or interrupt them with: ringmaster restart --force")
}

func sessionsAtWork(n int) string {
	if n == 1 {
		return "1 session is at work"
	}
	return fmt.Sprintf("%d sessions are at work", n)
}

// atWork counts the sessions in a turn.
func atWork(ctx context.Context, c *client.Client) (n int, err error) {
	active := true
	for q := (client.Query{Active: &active, Limit: maxListed}); ; {
		page, _, err := c.List(ctx, q)
		if err != nil {
			return 0, err
		}
		for _, s := range page.Sessions {
			if s.Status.State.Busy() {
				n++
			}
		}
		if q.After = page.Next; q.After == "" {
			return n, nil
		}
	}
}

func (p *Program) down() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "down",
		Short: "End the daemon",
		Long: `End the daemon of the data folder in order: running turns are interrupted, agents end, logs are closed. Its sessions stay, and the next
daemon has them.`,
		Args: args(0, 0),
		Example: `  ringmaster down
  ringmaster down --force     at once, as a crash would: the next daemon recovers`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder, err := p.local("down")
			if err != nil {
				return err
			}
			pid, held := folder.Holder()
			if !held {
				_, err := fmt.Fprintln(p.Out, "no daemon runs for "+folder.Path)
				return err
			}
			signal := stopSignal
			if force {
				signal = syscall.SIGKILL
			}
			if err := p.stop(cmd.Context(), folder, signal); err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.Out, "daemon %d has ended\n", pid)
			return err
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "do not wait for anything: kill it")
	return cmd
}

// local is the data folder, for commands that reach the daemon's process.
func (p *Program) local(name string) (datafolder.Folder, error) {
	if p.address != "" {
		return datafolder.Folder{}, usagef("%s is for the daemon of a data folder: name it with --data, not with --address", name)
	}
	return p.folder()
}

// stopSignal ends a daemon in order.
const stopSignal = syscall.SIGTERM

// stopTime is how long a daemon may take to go: to drain, and to be taken from the system.
const stopTime = daemon.DrainTime + 5*time.Second

// stop ends the daemon that holds the folder, and returns when it does no longer.
func (p *Program) stop(ctx context.Context, folder datafolder.Folder, signal syscall.Signal) error {
	pid, held := folder.Holder()
	if !held {
		return nil
	}
	if pid == 0 {
		return withHint(errors.New("the daemon that holds "+folder.Path+" is no process of this machine that can be seen"),
			"end it where it runs: in its container, or as its user")
	}
	if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("end process %d: %w", pid, err)
	}
	ctx, cancel := context.WithTimeout(ctx, stopTime)
	defer cancel()
	look := time.NewTicker(startLook)
	defer look.Stop()
	for {
		if now, held := folder.Holder(); !held || now != pid && now != 0 {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			if err := context.Cause(ctx); !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
			return withHint(fmt.Errorf("the daemon, process %d, has not ended within %s", pid, stopTime),
				"ringmaster down --force kills it; ringmaster logs shows why")
		}
	}
}

func (p *Program) restart() *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "restart",
		Short: "End the daemon and start it again, with its flags and its folders",
		Args:  args(0, 0),
		Example: `  ringmaster restart
  ringmaster restart --force     also where sessions are at work: their turns are interrupted`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder, err := p.local("restart")
			if err != nil {
				return err
			}
			return p.startAgain(cmd.Context(), folder, force)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "also where sessions are at work")
	return cmd
}

func (p *Program) startAgain(ctx context.Context, folder datafolder.Folder, force bool) error {
	a, err := folder.ReadAddress()
	pid, held := folder.Holder()
	if err != nil || !held {
		return withHint(errors.New("no daemon runs for "+folder.Path), "start one with: ringmaster up")
	}
	if !a.Background {
		return withHint(fmt.Errorf("daemon %d was not started by ringmaster: whoever started it restarts it", pid),
			"a service: systemctl --user restart ringmaster; ringmaster serve in a terminal: Ctrl-C, and again")
	}
	if c, err := p.reach(ctx); err == nil {
		defer c.Close()
		if !force {
			if err := p.unlessAtWork(ctx, c, "a restart would interrupt them"); err != nil {
				return err
			}
		}
	}
	l := launch{folder: folder, flags: append(p.configArgs(), a.Args...), roots: present(a.Unnamed())}
	if err := p.stop(ctx, folder, stopSignal); err != nil {
		return err
	}
	c, _, err := p.startDaemon(ctx, l)
	if err != nil {
		return err
	}
	defer c.Close()
	return p.tell(ctx, folder, c)
}

// present are the folders that are still there.
func present(folders []string) (list []string) {
	for _, f := range folders {
		if info, err := os.Stat(f); err == nil && info.IsDir() {
			list = append(list, f)
		}
	}
	return list
}

// configArgs name the configuration file to a daemon that is started.
func (p *Program) configArgs() []string {
	path, err := filepath.Abs(p.config)
	if p.config == "" || err != nil {
		return nil
	}
	return []string{"--config", path}
}

func joined(list []string) string {
	if len(list) == 0 {
		return "none yet"
	}
	return strings.Join(list, ", ")
}
