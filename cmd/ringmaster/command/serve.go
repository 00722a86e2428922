package command

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
)

// serve is the command of that name.
type serve struct {
	con    *console.Console
	target *lifecycle.Target
	flags  *settings.Flags
}

func newServe(con *console.Console, target *lifecycle.Target) *cobra.Command {
	s := &serve{con: con, target: target, flags: settings.NewFlags()}
	cmd := &cobra.Command{
		Use:   "serve --root DIR…",
		Short: "Run the daemon in the foreground, as services do",
		Long: `Run the daemon until it gets a signal; ringmaster up runs one in the background. The first SIGTERM or SIGINT drains it within 10 s:
running turns are interrupted, agents end, logs are closed. A second one ends it at once. SIGHUP reads the configuration again, as
ringmaster config reload does.

It listens on a unix socket in its data folder, for this user, and on a port of this machine, for whoever has the bearer
token in the file "token" of the data folder. Its log goes to standard error as JSON and holds no text of agents or users.

What no flag says is taken from the environment and from the configuration file: ringmaster config print.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster serve --root ~/src
  ringmaster serve --data /var/lib/ringmaster --listen 127.0.0.1:8080 --root /srv/work --root /srv/more
  ringmaster serve --root . --listen none --durability always`,
		Annotations: map[string]string{console.OwnSignals: ""},
		RunE:        s.run,
	}
	s.flags.AddTo(cmd)
	return cmd
}

func (s *serve) run(cmd *cobra.Command, _ []string) error {
	given, cfg, err := s.configuration(s.flags)
	if err != nil {
		return err
	}
	cfg.Reread = given.Rereading(cfg, s.configuration)
	return s.untilSignal(cmd.Context(), cfg)
}

// configuration are the settings of flags, completed by what the configuration says, and what a daemon is started with that has them.
func (s *serve) configuration(flags *settings.Flags) (*settings.Settings, daemon.Config, error) {
	given, err := s.target.Settings(flags)
	if err != nil {
		return nil, daemon.Config{}, err
	}
	cfg, err := s.target.DaemonConfig(given)
	return given, cfg, err
}

// untilSignal runs a daemon until a signal, or until it fails.
func (s *serve) untilSignal(ctx context.Context, cfg daemon.Config) error {
	log := cfg.Log
	d, err := daemon.Start(ctx, cfg)
	if err != nil {
		return err
	}
	a := d.Address()
	log.Info("daemon runs", zap.String("http", a.HTTP), zap.String("socket", a.Socket), zap.String("data", cfg.Folder.Path),
		zap.Strings("roots", cfg.Roots), zap.String("durability", string(cfg.Durability)), zap.String("version", cfg.Version),
		zap.Int64("memoryLimit", daemon.MemoryLimit()))
	s.greet(cfg.Folder, a)
	failed := s.await(ctx, d, log)
	if err := lifecycle.Drain(ctx, d, s.con.Signals); err != nil {
		return err
	}
	log.Info("daemon ended")
	return failed
}

// await returns when the daemon is to end: with the error of a listener that failed. A terminal that is closed ends what runs in it; where
// there is none, SIGHUP reads the configuration again.
func (s *serve) await(ctx context.Context, d *daemon.Daemon, log *zap.Logger) error {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	_, interactive := console.Terminal(s.con.Err)
	for {
		select {
		case which := <-s.con.Signals.C:
			log.Info("draining", zap.Stringer("signal", which))
			return nil
		case which := <-hangup:
			if interactive {
				log.Info("draining", zap.Stringer("signal", which))
				return nil
			}
			_, _ = d.Reload(ctx) // which says in the log what it did
		case <-d.Idle():
			log.Info("draining", zap.String("reason", "nobody asks for anything, and no session is at work"))
			return nil
		case err := <-d.Failed():
			log.Error("listener failed", zap.Error(err))
			return err
		case <-ctx.Done():
			return nil
		}
	}
}

// greet tells a person at the terminal where the daemon is.
func (s *serve) greet(folder datafolder.Folder, a datafolder.Address) {
	if _, tty := console.Terminal(s.con.Out); !tty {
		return
	}
	where, page := a.Socket, ""
	if a.HTTP != "" {
		where, page = a.HTTP, "  page    "+a.HTTP+"/ (ringmaster web opens it, logged in)\n"
	}
	_, _ = fmt.Fprintf(s.con.Out, "Ringmaster runs at %s\n%s  token   %s\n  next    ringmaster run --agent scripted \"hello\"\n",
		where, page, folder.TokenFile())
}
