package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

const none = "none"

func (p *Program) serve() *cobra.Command {
	var flags serveFlags
	var set *pflag.FlagSet
	cmd := &cobra.Command{
		Use:   "serve --root DIR…",
		Short: "Run the daemon in the foreground, as services do",
		Long: `Run the daemon until it gets a signal; ringmaster up runs one in the background. The first SIGTERM or SIGINT drains it within 10 s:
running turns are interrupted, agents end, logs are closed. A second one ends it at once. SIGHUP reads the configuration again, as
ringmaster config reload does.

It listens on a unix socket in its data folder, for this user, and on a port of this machine, for whoever has the bearer
token in the file "token" of the data folder. Its log goes to standard error as JSON and holds no text of agents or users.

What no flag says is taken from the environment and from the configuration file: ringmaster config print.`,
		Args: args(0, 0),
		Example: `  ringmaster serve --root ~/src
  ringmaster serve --data /var/lib/ringmaster --listen 127.0.0.1:8080 --root /srv/work --root /srv/more
  ringmaster serve --root . --listen none --durability always`,
		Annotations: map[string]string{ownSignals: ""},
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := p.settingsOf(&flags, set)
			if err != nil {
				return err
			}
			cfg, err := p.serveConfig(s)
			if err != nil {
				return err
			}
			cfg.Reread = p.rereading(s, cfg)
			return p.serveUntilSignal(cmd.Context(), cfg)
		},
	}
	set = flags.add(cmd)
	return cmd
}

// serveUntilSignal runs a daemon until a signal, or until it fails.
func (p *Program) serveUntilSignal(ctx context.Context, cfg daemon.Config) error {
	log := cfg.Log
	d, err := daemon.Start(ctx, cfg)
	if err != nil {
		return err
	}
	a := d.Address()
	log.Info("daemon runs", zap.String("http", a.HTTP), zap.String("socket", a.Socket), zap.String("data", cfg.Folder.Path),
		zap.Strings("roots", cfg.Roots), zap.String("durability", string(cfg.Durability)), zap.String("version", cfg.Version))
	p.greet(cfg.Folder, a)
	failed := p.await(ctx, d, log)
	if err := p.drain(ctx, d); err != nil {
		return err
	}
	log.Info("daemon ended")
	return failed
}

// await returns when the daemon is to end: with the error of a listener that failed. A terminal that is closed ends what runs in it; where
// there is none, SIGHUP reads the configuration again.
func (p *Program) await(ctx context.Context, d *daemon.Daemon, log *zap.Logger) error {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	defer signal.Stop(hangup)
	_, interactive := terminalOf(p.Err)
	for {
		select {
		case s := <-p.Signals:
			log.Info("draining", zap.Stringer("signal", s))
			return nil
		case s := <-hangup:
			if interactive {
				log.Info("draining", zap.Stringer("signal", s))
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

// drain ends a daemon within its time, or leaves it at a signal.
func (p *Program) drain(ctx context.Context, d *daemon.Daemon) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), daemon.DrainTime)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- d.Close(ctx) }() // ends with Close, or with the program
	select {
	case err := <-closed:
		if err != nil {
			return fmt.Errorf("end in order: %w", err)
		}
		return nil
	case <-p.Signals:
		return errStopped
	}
}

// greet tells a person at the terminal where the daemon is.
func (p *Program) greet(folder datafolder.Folder, a datafolder.Address) {
	if _, tty := terminalOf(p.Out); !tty {
		return
	}
	where := a.HTTP
	if where == "" {
		where = a.Socket
	}
	_, _ = fmt.Fprintf(p.Out, "Ringmaster runs at %s\n  token   %s\n  next    ringmaster run --agent scripted \"hello\"\n", where, folder.TokenFile())
}

// logger writes JSON lines.
func logger(w io.Writer, level zapcore.LevelEnabler) *zap.Logger {
	enc := zap.NewProductionEncoderConfig()
	enc.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	enc.EncodeDuration = zapcore.StringDurationEncoder
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(enc), zapcore.Lock(zapcore.AddSync(w)), level))
}
