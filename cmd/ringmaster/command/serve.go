package command

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

const none = "none"

type serveFlags struct {
	listen, socket, durability, level string
	certFile, keyFile                 string
	roots, hosts, origins, attach     []string
	remote, cleartext, compat         bool
	stallAfter                        time.Duration
	rawLimit                          int64 // MiB
	maxText                           maxText
}

func (p *Program) serve() *cobra.Command {
	var flags serveFlags
	cmd := &cobra.Command{
		Use:   "serve --root DIR…",
		Short: "Run the daemon",
		Long: `Run the daemon until it gets a signal. The first SIGTERM or SIGINT drains it within 10 s: running turns are interrupted,
agents end, logs are closed. A second one ends it at once.

It listens on a unix socket in its data folder, for this user, and on a port of this machine, for whoever has the bearer
token in the file "token" of the data folder. Its log goes to standard error as JSON and holds no text of agents or users.`,
		Args: args(0, 0),
		Example: `  ringmaster serve --root ~/src
  ringmaster serve --data /var/lib/ringmaster --listen 127.0.0.1:8080 --root /srv/work --root /srv/more
  ringmaster serve --root . --listen none --durability always`,
		Annotations: map[string]string{ownSignals: ""},
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := p.serveConfig(&flags)
			if err != nil {
				return err
			}
			return p.serveUntilSignal(cmd.Context(), cfg)
		},
	}
	f := cmd.Flags()
	f.StringVar(&flags.listen, "listen", daemon.DefaultListen, "HOST:PORT for HTTP; port 0 takes a free one, none is no TCP at all")
	f.StringVar(&flags.socket, "socket", "", "path of the unix socket, or none (default ringmaster.sock in the data folder)")
	f.StringArrayVar(&flags.roots, "root", nil, "agents may work inside this folder; may be repeated")
	f.StringVar(&flags.durability, "durability", string(supervisor.DurableInterval),
		"when an event counts as written: always (survives power loss), interval (synced every 100 ms) or os; all survive kill -9")
	f.DurationVar(&flags.stallAfter, "stall-after", 5*time.Minute,
		"an agent that works and says nothing for so long is marked as stalled, and left alone; 0: never")
	f.Int64Var(&flags.rawLimit, "raw-limit", raw.DefaultLimit>>20,
		"MiB on the disk for one session's native lines, of which the oldest go first; 0: they are not kept")
	flags.maxText.add(cmd)
	f.StringVar(&flags.level, "log-level", "info", "debug, info, warn or error")
	f.BoolVar(&flags.remote, "allow-remote", false, "let --listen name an address that other machines reach; needs TLS")
	f.StringVar(&flags.certFile, "tls-cert", "", "file with the TLS certificate chain (PEM)")
	f.StringVar(&flags.keyFile, "tls-key", "", "file with the TLS key (PEM)")
	f.BoolVar(&flags.cleartext, "dangerously-without-tls", false, "with --allow-remote: the token crosses the network in the clear")
	f.StringArrayVar(&flags.attach, "attach-host", nil, "host, or HOST:PORT, besides this machine where agents may be attached to; may be repeated")
	f.StringArrayVar(&flags.hosts, "allow-host", nil, "further host name that clients may use, with its port; may be repeated")
	f.StringArrayVar(&flags.origins, "allow-origin", nil, "web origin whose pages may call, such as https://example.org; may be repeated")
	f.BoolVar(&flags.compat, "mcp-compat", false, "also give MCP clients the one tool session, with an action, that an earlier system had")
	_ = cmd.MarkFlagDirname("root")
	_ = cmd.MarkFlagFilename("tls-cert", "pem", "crt")
	_ = cmd.MarkFlagFilename("tls-key", "pem", "key")
	_ = cmd.RegisterFlagCompletionFunc("durability", cobra.FixedCompletions([]string{"always", "interval", "os"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("log-level", cobra.FixedCompletions([]string{"debug", "info", "warn", "error"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// serveConfig checks the flags.
func (p *Program) serveConfig(flags *serveFlags) (daemon.Config, error) {
	folder, err := p.folder()
	if err != nil {
		return daemon.Config{}, err
	}
	level, err := zapcore.ParseLevel(flags.level)
	if err != nil {
		return daemon.Config{}, usagef("--log-level: %v", err)
	}
	durability := supervisor.Durability(flags.durability)
	switch durability {
	case supervisor.DurableAlways, supervisor.DurableInterval, supervisor.DurableOS:
	default:
		return daemon.Config{}, usagef("--durability %q: want always, interval or os", flags.durability)
	}
	if flags.stallAfter < 0 || flags.rawLimit < 0 || flags.rawLimit > 1<<40 {
		return daemon.Config{}, usagef("--stall-after and --raw-limit are not negative, and 0 switches them off")
	}
	texts, err := flags.maxText.bytes()
	if err != nil {
		return daemon.Config{}, err
	}
	for _, h := range flags.attach {
		if h == "" || strings.ContainsAny(h, "/@ ") {
			return daemon.Config{}, usagef("--attach-host %q: want HOST or HOST:PORT, without a scheme", h)
		}
	}
	roots, err := checkRoots(flags.roots)
	if err != nil {
		return daemon.Config{}, err
	}
	cfg := daemon.Config{
		Folder: folder, Roots: roots, Socket: folder.Socket(), Durability: durability, Hosts: flags.hosts, Origins: flags.origins,
		AttachHosts: flags.attach, Adopt: p.Adopt, MCPCompat: flags.compat,
		Agents: daemon.Agents(folder, buildVersion()), Env: os.Environ(), Version: buildVersion(), Log: logger(p.Err, level),
		StallAfter: orOff(flags.stallAfter), RawLimit: orOff(flags.rawLimit << 20), MaxText: texts,
		Listen: daemon.Listen{Address: flags.listen, AllowRemote: flags.remote, Cleartext: flags.cleartext},
	}
	switch flags.socket {
	case "":
	case none:
		cfg.Socket = ""
	default:
		if cfg.Socket, err = filepath.Abs(flags.socket); err != nil {
			return daemon.Config{}, fmt.Errorf("--socket: %w", err)
		}
	}
	if flags.listen == none {
		cfg.Listen.Address = ""
	}
	if cfg.Listen.Address == "" && cfg.Socket == "" {
		return daemon.Config{}, usagef("--listen none and --socket none leave no way to the daemon")
	}
	if (flags.certFile == "") != (flags.keyFile == "") {
		return daemon.Config{}, usagef("--tls-cert and --tls-key belong together")
	}
	if flags.certFile != "" {
		cert, err := tls.LoadX509KeyPair(flags.certFile, flags.keyFile)
		if err != nil {
			return daemon.Config{}, fmt.Errorf("--tls-cert, --tls-key: %w", err)
		}
		cfg.Listen.Certificate = &cert
	}
	return cfg, nil
}

// orOff is a setting of the daemon, to which 0 means the default and a negative number off.
func orOff[T time.Duration | int64](n T) T {
	if n == 0 {
		return -1
	}
	return n
}

func checkRoots(roots []string) ([]string, error) {
	if len(roots) == 0 {
		return nil, usagef("serve needs --root DIR: agents may work inside such folders only")
	}
	out := make([]string, 0, len(roots))
	for _, r := range roots {
		abs, err := filepath.Abs(r)
		if err != nil {
			return nil, fmt.Errorf("--root: %w", err)
		}
		info, err := os.Stat(abs)
		if err != nil {
			return nil, usagef("--root: %w", err)
		}
		if !info.IsDir() {
			return nil, usagef("--root %s: no folder", abs)
		}
		out = append(out, abs)
	}
	return out, nil
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
	var failed error
	select {
	case s := <-p.Signals:
		log.Info("draining", zap.Stringer("signal", s))
	case failed = <-d.Failed():
		log.Error("listener failed", zap.Error(failed))
	case <-ctx.Done():
	}
	if err := p.drain(ctx, d); err != nil {
		return err
	}
	log.Info("daemon ended")
	return failed
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
func logger(w io.Writer, level zapcore.Level) *zap.Logger {
	enc := zap.NewProductionEncoderConfig()
	enc.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	enc.EncodeDuration = zapcore.StringDurationEncoder
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(enc), zapcore.Lock(zapcore.AddSync(w)), level))
}
