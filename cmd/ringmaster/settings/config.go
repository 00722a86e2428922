package settings

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/ringmaster-agents/ringmaster/api/webhook/post"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/logfile"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
)

// none is a way to the daemon that there is not.
const none = "none"

// Config checks the settings, and makes of them what a daemon of a data folder is started with that is to be of this process.
func (s *Settings) Config(con *console.Console, folder datafolder.Folder) (daemon.Config, error) {
	flags := s.flags
	level, err := zapcore.ParseLevel(flags.level)
	if err != nil {
		return daemon.Config{}, exit.Usagef("--log-level: %v", err)
	}
	durability, err := ParseDurability(flags.durability)
	if err != nil {
		return daemon.Config{}, err
	}
	if flags.keepFor < 0 || flags.stallAfter < 0 || flags.idleExit < 0 || flags.rawLimit < 0 || flags.rawLimit > 1<<40 {
		return daemon.Config{}, exit.Usagef("--keep-for, --stall-after, --idle-exit and --raw-limit are not negative, and 0 switches them off")
	}
	if flags.logLimit != 0 && flags.logLimit < keep.LeastLog {
		return daemon.Config{}, exit.Usagef("--log-limit is at least 8MiB, and 0 is no limit: a session goes on from what its newest events tell")
	}
	texts, err := flags.maxText.Bytes()
	if err != nil {
		return daemon.Config{}, err
	}
	if err := flags.limits.check(); err != nil {
		return daemon.Config{}, err
	}
	for _, h := range flags.attach {
		if h == "" || strings.ContainsAny(h, "/@ ") {
			return daemon.Config{}, exit.Usagef("--attach-host %q: want HOST or HOST:PORT, without a scheme", h)
		}
	}
	if err := new(post.Allow).Set(flags.webhooks); err != nil {
		return daemon.Config{}, exit.Usagef("--webhook-allow %w", err)
	}
	if len(flags.roots) == 0 && !flags.background {
		return daemon.Config{}, exit.Usagef("serve needs --root DIR, or root in the configuration file: agents may work inside such folders only")
	}
	roots, err := CheckRoots(append(slices.Clone(flags.roots), flags.folders...))
	if err != nil {
		return daemon.Config{}, err
	}
	prices, err := readPrices(flags.prices)
	if err != nil {
		return daemon.Config{}, err
	}
	core, err := flags.core.Core()
	if err == nil {
		err = flags.node.check(&core, roots)
	}
	if err != nil {
		return daemon.Config{}, err
	}
	peers, err := flags.peers.peers(core)
	if err != nil {
		return daemon.Config{}, err
	}
	s.level.SetLevel(level)
	cfg := daemon.Config{
		Core: core, Peers: peers,
		Folder: folder, Roots: roots, Socket: folder.Socket(), Durability: durability, Hosts: flags.hosts, Origins: flags.origins,
		AttachHosts: flags.attach, Webhooks: flags.webhooks, Adopt: con.Adopt, MCPCompat: flags.compat,
		Agents: daemon.Agents(folder, con.Version), Env: os.Environ(), Version: con.Version, Log: logger(logfile.Bounded(con.Err, folder), s.level),
		StallAfter: orOff(flags.stallAfter), RawLimit: orOff(flags.rawLimit << 20), LogLimit: int64(flags.logLimit), MaxText: texts,
		Prices:      prices,
		Keep:        keep.Rule{For: flags.keepFor, Bytes: int64(flags.keepBytes), Free: int64(flags.keepFree)},
		SessionRate: flags.limits.rate, MaxStreams: flags.limits.streams, MaxInFlight: flags.limits.inFlight << 20,
		Listen: daemon.Listen{Address: flags.listen, AllowRemote: flags.remote, Cleartext: flags.cleartext}, IdleExit: flags.idleExit,
		Found: datafolder.Address{
			Background: flags.background, TakesRoots: flags.background && len(flags.roots) == 0, Args: s.Args(), Named: roots[:len(flags.roots)],
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
		return daemon.Config{}, exit.Usagef("--listen none and --socket none leave no way to the daemon")
	}
	cfg.Listen.Certificate, err = Certificate(flags.certFile, flags.keyFile)
	return cfg, err
}

// orOff is a setting of the daemon, to which 0 means the default and a negative number off.
func orOff[T time.Duration | int64](n T) T {
	if n == 0 {
		return -1
	}
	return n
}

// CheckRoots makes the paths of roots whole, which have to be folders that are there.
func CheckRoots(roots []string) ([]string, error) {
	out := make([]string, 0, len(roots))
	for _, r := range roots {
		abs, err := filepath.Abs(r)
		if err != nil {
			return nil, fmt.Errorf("--root: %w", err)
		}
		info, err := os.Stat(abs)
		if err != nil {
			return nil, exit.Usagef("--root: %w", err)
		}
		if !info.IsDir() {
			return nil, exit.Usagef("--root %s: no folder", abs)
		}
		out = append(out, abs)
	}
	return out, nil
}

// Log is the log of a process that is no daemon.
func Log(w io.Writer) *zap.Logger { return logger(w, zapcore.InfoLevel) }

// logger writes JSON lines.
func logger(w io.Writer, level zapcore.LevelEnabler) *zap.Logger {
	enc := zap.NewProductionEncoderConfig()
	enc.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	enc.EncodeDuration = zapcore.StringDurationEncoder
	return zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(enc), zapcore.Lock(zapcore.AddSync(w)), level))
}
