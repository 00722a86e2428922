package command

import (
	"crypto/tls"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.uber.org/zap/zapcore"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

type serveFlags struct {
	listen, socket, durability, level string
	certFile, keyFile                 string
	roots, hosts, origins, attach     []string
	remote, cleartext, compat         bool
	stallAfter                        time.Duration
	rawLimit                          int64 // MiB
	maxText                           maxText
	idleExit                          time.Duration
	limits                            limits

	background bool     // a command started it
	folders    []string // where commands worked: roots that nobody has named
}

// set are the flags as a set of their own.
func (s *serveFlags) set() *pflag.FlagSet {
	f := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	f.StringVar(&s.listen, "listen", daemon.DefaultListen, "HOST:PORT for HTTP; port 0 takes a free one, none is no TCP at all")
	f.StringVar(&s.socket, "socket", "", "path of the unix socket, or none (default ringmaster.sock in the data folder)")
	f.StringArrayVar(&s.roots, "root", nil, "agents may work inside this folder; may be repeated")
	f.StringVar(&s.durability, "durability", string(supervisor.DurableInterval),
		"when an event counts as written: always (survives power loss), interval (synced every 100 ms) or os; all survive kill -9")
	f.DurationVar(&s.stallAfter, "stall-after", 5*time.Minute,
		"an agent that works and says nothing for so long is marked as stalled, and left alone; 0: never")
	f.Int64Var(&s.rawLimit, "raw-limit", raw.DefaultLimit>>20,
		"MiB on the disk for one session's native lines, of which the oldest go first; 0: they are not kept")
	s.maxText.addTo(f)
	s.limits.addTo(f)
	f.StringVar(&s.level, "log-level", "info", "debug, info, warn or error")
	f.BoolVar(&s.remote, "allow-remote", false, "let --listen name an address that other machines reach; needs TLS")
	f.StringVar(&s.certFile, "tls-cert", "", "file with the TLS certificate chain (PEM)")
	f.StringVar(&s.keyFile, "tls-key", "", "file with the TLS key (PEM)")
	f.BoolVar(&s.cleartext, "dangerously-without-tls", false, "with --allow-remote: the token crosses the network in the clear")
	f.StringArrayVar(&s.attach, "attach-host", nil, "host, or HOST:PORT, besides this machine where agents may be attached to; may be repeated")
	f.StringArrayVar(&s.hosts, "allow-host", nil, "further host name that clients may use, with its port; may be repeated")
	f.StringArrayVar(&s.origins, "allow-origin", nil, "web origin whose pages may call, such as https://example.org; may be repeated")
	f.BoolVar(&s.compat, "mcp-compat", false, "also give MCP clients the one tool session, with an action, that an earlier system had")
	f.DurationVar(&s.idleExit, "idle-exit", 0, "end after so long without callers and without sessions at work; 0: never")
	f.BoolVar(&s.background, "background", false, "a command started this daemon")
	f.StringArrayVar(&s.folders, "folder", nil, "a root that nobody has named")
	_ = f.MarkHidden("background")
	_ = f.MarkHidden("folder")
	return f
}

// add gives them to a command.
func (s *serveFlags) add(cmd *cobra.Command) *pflag.FlagSet {
	set := s.set()
	cmd.Flags().AddFlagSet(set)
	_ = cmd.MarkFlagDirname("root")
	_ = cmd.MarkFlagFilename("tls-cert", "pem", "crt")
	_ = cmd.MarkFlagFilename("tls-key", "pem", "key")
	_ = cmd.RegisterFlagCompletionFunc("durability", cobra.FixedCompletions([]string{"always", "interval", "os"}, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("log-level", cobra.FixedCompletions([]string{"debug", "info", "warn", "error"}, cobra.ShellCompDirectiveNoFileComp))
	return set
}

// serveConfig checks the settings.
func (p *Program) serveConfig(s *daemonSettings) (daemon.Config, error) {
	flags := s.flags
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
	if flags.stallAfter < 0 || flags.idleExit < 0 || flags.rawLimit < 0 || flags.rawLimit > 1<<40 {
		return daemon.Config{}, usagef("--stall-after, --idle-exit and --raw-limit are not negative, and 0 switches them off")
	}
	texts, err := flags.maxText.bytes()
	if err != nil {
		return daemon.Config{}, err
	}
	if err := flags.limits.check(); err != nil {
		return daemon.Config{}, err
	}
	for _, h := range flags.attach {
		if h == "" || strings.ContainsAny(h, "/@ ") {
			return daemon.Config{}, usagef("--attach-host %q: want HOST or HOST:PORT, without a scheme", h)
		}
	}
	if len(flags.roots) == 0 && !flags.background {
		return daemon.Config{}, usagef("serve needs --root DIR, or root in the configuration file: agents may work inside such folders only")
	}
	roots, err := checkRoots(append(slices.Clone(flags.roots), flags.folders...))
	if err != nil {
		return daemon.Config{}, err
	}
	s.level.SetLevel(level)
	cfg := daemon.Config{
		Folder: folder, Roots: roots, Socket: folder.Socket(), Durability: durability, Hosts: flags.hosts, Origins: flags.origins,
		AttachHosts: flags.attach, Adopt: p.Adopt, MCPCompat: flags.compat,
		Agents: daemon.Agents(folder, buildVersion()), Env: os.Environ(), Version: buildVersion(), Log: logger(bounded(p.Err, folder), s.level),
		StallAfter: orOff(flags.stallAfter), RawLimit: orOff(flags.rawLimit << 20), MaxText: texts,
		SessionRate: flags.limits.rate, MaxStreams: flags.limits.streams, MaxInFlight: flags.limits.inFlight << 20,
		Listen: daemon.Listen{Address: flags.listen, AllowRemote: flags.remote, Cleartext: flags.cleartext}, IdleExit: flags.idleExit,
		Found: datafolder.Address{
			Background: flags.background, TakesRoots: flags.background && len(flags.roots) == 0, Args: s.args(), Named: roots[:len(flags.roots)],
		},
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
