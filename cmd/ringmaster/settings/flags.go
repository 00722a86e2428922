package settings

import (
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// Flags are the daemon's flags, of a command that has them.
type Flags struct {
	set *pflag.FlagSet

	listen, socket, durability, level string
	certFile, keyFile, prices         string
	roots, hosts, origins, attach     []string
	webhooks                          []string
	remote, cleartext, compat         bool
	stallAfter                        time.Duration
	rawLimit                          int64 // MiB
	maxText                           MaxText
	idleExit                          time.Duration
	limits                            limits
	core                              CoreFlags
	node                              nodeFlags
	peers                             peerFlags
	keepFor                           time.Duration
	logLimit, keepBytes, keepFree     Size

	background bool     // a command started it
	folders    []string // where commands worked: roots that nobody has named
}

// NewFlags makes the flags with their defaults, as a set of their own.
func NewFlags() *Flags {
	s := &Flags{set: pflag.NewFlagSet("serve", pflag.ContinueOnError)}
	f := s.set
	f.StringVar(&s.listen, "listen", daemon.DefaultListen, "HOST:PORT for HTTP; port 0 takes a free one, none is no TCP at all")
	f.StringVar(&s.socket, "socket", "", "path of the unix socket, or none (default ringmaster.sock in the data folder)")
	f.StringArrayVar(&s.roots, "root", nil, "agents may work inside this folder; may be repeated")
	f.StringVar(&s.durability, "durability", string(supervisor.DurableInterval),
		"when an event counts as written: always (survives power loss), interval (on the disk every 100 ms) or os; all survive kill -9")
	f.DurationVar(&s.stallAfter, "stall-after", 5*time.Minute,
		"an agent that works and says nothing for so long is marked as stalled, and left alone; 0: never")
	f.Int64Var(&s.rawLimit, "raw-limit", raw.DefaultLimit>>20,
		"MiB on the disk for one session's native lines, of which the oldest go first; 0: they are not kept")
	f.Var(&s.logLimit, "log-limit",
		"one session's log may have so much on the disk, such as 2GiB, at least 8MiB: beyond it its oldest events go; 0: any amount")
	f.DurationVar(&s.keepFor, "keep-for", 0, "sessions at rest are removed so long after their newest event, such as 720h; 0: they stay")
	f.Var(&s.keepBytes, "keep-bytes",
		"all sessions together may have so much on the disk, such as 20GiB: beyond it native lines go, then whole sessions, the oldest first; 0: any amount")
	f.Var(&s.keepFree, "keep-free",
		"while less of the disk is free, such as 1GiB, no session is made and native lines go, the oldest first; 0: whatever is free")
	s.maxText.AddTo(f)
	s.limits.addTo(f)
	s.core.AddTo(f)
	s.node.addTo(f)
	s.peers.addTo(f)
	f.StringVar(&s.prices, "prices", "", "JSON file with what models cost, where their agent does not say it")
	f.StringVar(&s.level, "log-level", "info", "debug, info, warn or error")
	f.BoolVar(&s.remote, "allow-remote", false, "let --listen name an address that other machines reach; needs TLS")
	f.StringVar(&s.certFile, "tls-cert", "", "file with the TLS certificate chain (PEM)")
	f.StringVar(&s.keyFile, "tls-key", "", "file with the TLS key (PEM)")
	f.BoolVar(&s.cleartext, "dangerously-without-tls", false, "with --allow-remote: the token crosses the network in the clear")
	f.StringArrayVar(&s.attach, "attach-host", nil, "host, or HOST:PORT, besides this machine where agents may be attached to; may be repeated")
	f.StringArrayVar(&s.webhooks, "webhook-allow", nil,
		"beginning of the URLs to which webhooks may send, such as https://hooks.example.org/, "+
			"and behind a blank the private addresses of its host; may be repeated")
	f.StringArrayVar(&s.hosts, "allow-host", nil, "further host name that clients may use, with its port; may be repeated")
	f.StringArrayVar(&s.origins, "allow-origin", nil, "web origin whose pages may call, such as https://example.org; may be repeated")
	f.BoolVar(&s.compat, "mcp-compat", false, "also give MCP clients the one tool session, with an action, that an earlier system had")
	f.DurationVar(&s.idleExit, "idle-exit", 0, "end after so long without callers and without sessions at work; 0: never")
	f.BoolVar(&s.background, "background", false, "a command started this daemon")
	f.StringArrayVar(&s.folders, "folder", nil, "a root that nobody has named")
	_ = f.MarkHidden("background")
	_ = f.MarkHidden("folder")
	return s
}

// AddTo gives them to a command.
func (s *Flags) AddTo(cmd *cobra.Command) {
	cmd.Flags().AddFlagSet(s.set)
	_ = cmd.MarkFlagDirname("root")
	_ = cmd.MarkFlagFilename("tls-cert", "pem", "crt")
	_ = cmd.MarkFlagFilename("tls-key", "pem", "key")
	_ = cmd.MarkFlagFilename("prices", "json")
	_ = cmd.MarkFlagFilename("core-password-file")
	_ = cmd.MarkFlagFilename("core-token-file")
	_ = cmd.MarkFlagFilename("core-ca-file", "pem", "crt")
	_ = cmd.MarkFlagDirname("objects")
	_ = cmd.MarkFlagFilename("objects-keys-file")
	console.CompleteWords(cmd, "durability", Durabilities...)
	console.CompleteWords(cmd, "failover", Failovers...)
	console.CompleteWords(cmd, "log-level", "debug", "info", "warn", "error")
}

// AddCoreTo gives those of Core to a command of its own.
func (s *Flags) AddCoreTo(cmd *cobra.Command) {
	for _, name := range []string{"core", "core-password-file", "core-token-file", "core-ca-file", "objects", "objects-keys-file"} {
		cmd.Flags().AddFlag(s.set.Lookup(name))
	}
	_ = cmd.MarkFlagFilename("core-password-file")
	_ = cmd.MarkFlagFilename("core-token-file")
	_ = cmd.MarkFlagFilename("core-ca-file", "pem", "crt")
	_ = cmd.MarkFlagDirname("objects")
	_ = cmd.MarkFlagFilename("objects-keys-file")
}

// Durabilities are the words of --durability.
var Durabilities = []string{string(supervisor.DurableAlways), string(supervisor.DurableInterval), string(supervisor.DurableOS)}

// ParseDurability checks a word of --durability.
func ParseDurability(word string) (supervisor.Durability, error) {
	if !slices.Contains(Durabilities, word) {
		return "", exit.Usagef("--durability %q: want always, interval or os", word)
	}
	return supervisor.Durability(word), nil
}

// InBackground says that the daemon is started by a command, and needs no root that somebody has named.
func (s *Flags) InBackground() { s.background = true }
