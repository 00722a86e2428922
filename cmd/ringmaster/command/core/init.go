package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/server"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// initialize is the command core init.
type initialize struct {
	con            *console.Console
	dev, stop      bool
	dir            string
	port, nodes    int
	workspace      string
	asJSON, asEnvs bool
}

// Ports of the nodes whose commands are printed: of node 1 one above these.
const (
	nodePort = 7440
	peerPort = 7450
	maxNodes = 9
)

func newInit(con *console.Console) *cobra.Command {
	i := &initialize{con: con}
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make a Core on this machine, to try many nodes with",
		Long: `Make a Core on this machine, to try many nodes with: a PostgreSQL server of its own, made of the programs that are installed, in a folder
of its own and on a loopback port, with one database and one user, who has a password and may do nothing else; its tables; and a folder for objects. Then print
the commands that start nodes on it. It may be run again: what is there stays, and a server that was ended is started. No other server is touched. It stays
until --stop, or until the machine ends; removing the folder then removes all of it.

For a database that is there, and for all that is to last, use ringmaster core migrate.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster core init --dev
  eval "$(ringmaster core init --dev --env)" && ringmaster core check
  ringmaster core init --dev --dir /tmp/core --workspace shop=/srv/shop
  ringmaster core init --dev --stop`,
		RunE: func(cmd *cobra.Command, _ []string) error { return i.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.BoolVar(&i.dev, "dev", false, "needed: a Core for one machine, and for trying it")
	f.BoolVar(&i.stop, "stop", false, "end its server; its data stay")
	f.StringVar(&i.dir, "dir", "", "its folder (default: the data folder's name with -core, or /var/lib/ringmaster-core for root)")
	f.IntVar(&i.port, "port", 0, "of its server; 0: the one that it had, or a free one")
	f.IntVar(&i.nodes, "nodes", 3, "for how many nodes commands are printed, at most "+strconv.Itoa(maxNodes))
	f.StringVar(&i.workspace, "workspace", "", "NAME=DIR: the nodes' common folder in these commands (default: work, the folder where this is called)")
	f.BoolVar(&i.asJSON, "json", false, "as one JSON object")
	f.BoolVar(&i.asEnvs, "env", false, "only lines for a shell, by which the daemons that it starts find this Core")
	return cmd
}

// prepared is what is told of a Core.
type prepared struct {
	Folder       string   `json:"folder"`
	Core         string   `json:"core"`
	PasswordFile string   `json:"passwordFile"`
	Objects      string   `json:"objects"`
	Port         int      `json:"port"`
	Server       string   `json:"server"` // PostgreSQL's version
	Schema       uint32   `json:"schema"`
	Begun        bool     `json:"begun"` // by this call
	Log          string   `json:"log"`
	Nodes        []string `json:"nodes"` // commands that start some
}

func (i *initialize) run(ctx context.Context) error {
	switch {
	case !i.dev:
		return exit.WithHint(exit.Usagef("core init makes a Core for one machine, to try it: say so with --dev"),
			"a database that is there already is prepared by ringmaster core migrate --core postgres://USER@HOST/DATABASE")
	case i.port < 0 || i.port > 65535 || i.nodes < 1 || i.nodes > maxNodes:
		return exit.Usagef("--port is up to 65535, and --nodes from 1 to %d", maxNodes)
	case i.stop && (i.asJSON || i.asEnvs || i.port != 0) || i.asJSON && i.asEnvs:
		return exit.Usagef("--stop, --json and --env do not go together, nor --stop with --port")
	}
	folder, err := i.folder()
	if err != nil {
		return err
	}
	if i.stop {
		return i.end(ctx, folder)
	}
	name, work, err := i.work()
	if err != nil {
		return err
	}
	at, err := server.Start(ctx, folder, i.port)
	if err != nil {
		return told(err)
	}
	_, schema, err := postgres.Migrate(ctx, at.URL(), postgres.Options{Password: at.Password})
	if err != nil {
		return told(err)
	}
	objects := filepath.Join(folder.Path, "objects")
	if err := os.Mkdir(objects, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	version, _, _ := strings.Cut(at.Version, " ") // without that of its package
	made := prepared{
		Folder: folder.Path, Core: at.URL(), PasswordFile: at.PasswordFile(), Objects: objects, Port: at.Port, Server: version, Schema: schema,
		Begun: at.Begun, Log: at.Log(),
	}
	for n := 1; n <= i.nodes; n++ {
		made.Nodes = append(made.Nodes, line("ringmaster", "--data", filepath.Join(folder.Path, "node"+strconv.Itoa(n)), "serve",
			"--listen", "127.0.0.1:"+strconv.Itoa(nodePort+n), "--peer-listen", "127.0.0.1:"+strconv.Itoa(peerPort+n),
			"--root", work, "--workspace", name+"="+work, "--failover", "auto"))
	}
	return i.print(&made)
}

// folder is where it is, or is made.
func (i *initialize) folder() (server.Folder, error) {
	path := i.dir
	switch {
	case path != "":
	case os.Geteuid() == 0 && os.Getenv(datafolder.EnvData) == "": // the server's user must come to it
		path = "/var/lib/ringmaster-core"
	default:
		data, err := datafolder.Default()
		if err != nil {
			return server.Folder{}, exit.WithHint(err, "name a folder with --dir")
		}
		path = data.Path + "-core"
	}
	path, err := filepath.Abs(path)
	return server.Folder{Path: path}, err
}

// work is the nodes' common workspace.
func (i *initialize) work() (name, dir string, err error) {
	if i.workspace == "" {
		dir, err = os.Getwd()
		return "work", dir, err
	}
	name, dir, is := strings.Cut(i.workspace, "=")
	if !is || name == "" || dir == "" {
		return "", "", exit.Usagef("--workspace %s: want NAME=DIR", i.workspace)
	}
	dir, err = filepath.Abs(dir)
	return name, dir, err
}

func (i *initialize) end(ctx context.Context, folder server.Folder) error {
	ran, err := server.Stop(ctx, folder)
	switch {
	case err != nil:
		return told(err)
	case ran:
		i.con.Say("the server has ended; its data stay in " + folder.Path)
	default:
		i.con.Say("the server does not run; its data are in " + folder.Path)
	}
	return nil
}

// variables are the settings by which commands and daemons find Core.
func (p *prepared) variables() string {
	return "export RINGMASTER_CORE=" + quoted(p.Core) + " RINGMASTER_CORE_PASSWORD_FILE=" + quoted(p.PasswordFile) + " RINGMASTER_OBJECTS=" + quoted(p.Objects)
}

func (i *initialize) print(p *prepared) error {
	if i.asJSON {
		return json.NewEncoder(i.con.Out).Encode(p)
	}
	if i.asEnvs {
		_, err := fmt.Fprintln(i.con.Out, p.variables())
		return err
	}
	state := "runs already"
	if p.Begun {
		state = "runs now"
	}
	_, err := fmt.Fprintf(i.con.Out, `PostgreSQL %s %s at 127.0.0.1:%d, with schema version %d; all of it is in %s

In each terminal, so that daemons and commands find it:

  %s

Nodes, each in a terminal of its own:

  %s

What they know of each other:  %s
To end the database:           ringmaster core init --dev --dir %s --stop
`, p.Server, state, p.Port, p.Schema, p.Folder, p.variables(), strings.Join(p.Nodes, "\n  "),
		line("ringmaster", "--data", filepath.Join(p.Folder, "node1"), "node", "ls"), quoted(p.Folder))
	return err
}

// line is a command as a shell reads it.
func line(words ...string) string {
	for i := range words {
		words[i] = quoted(words[i])
	}
	return strings.Join(words, " ")
}

func quoted(word string) string {
	isPlain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@+%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !isPlain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
