package command

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// newRoots makes the command root, and what is below it.
func newRoots(con *console.Console, target *lifecycle.Target) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "root",
		Short: "The folders inside which agents may work: list, add, forget",
		Args:  console.Args(0, 0),
		Example: `  ringmaster root ls
  ringmaster root add ~/src`,
		RunE: console.ShowHelp,
	}
	cmd.AddCommand(newRootList(con, target), newRootAdd(con, target), newRootForget(con, target))
	return cmd
}

// rootList is the command root ls.
type rootList struct {
	con    *console.Console
	target *lifecycle.Target
}

func newRootList(con *console.Console, target *lifecycle.Target) *cobra.Command {
	r := &rootList{con: con, target: target}
	return &cobra.Command{
		Use:     "ls",
		Short:   "List the roots of the daemon",
		Args:    console.Args(0, 0),
		Example: `  ringmaster root ls`,
		RunE:    r.run,
	}
}

func (r *rootList) run(cmd *cobra.Command, _ []string) error {
	c, err := r.target.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	list, err := c.Roots(cmd.Context())
	return printRoots(r.con.Out, list, err)
}

// rootAdd is the command root add.
type rootAdd struct {
	con    *console.Console
	target *lifecycle.Target
}

func newRootAdd(con *console.Console, target *lifecycle.Target) *cobra.Command {
	r := &rootAdd{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "add DIR…",
		Short: "Let agents work inside folders, from now on",
		Long: `Let agents work inside folders, from now on and without a restart: until the daemon ends, or for good where it is one whose roots nobody
has named. A root that is to stay is best named in the configuration file.`,
		Args: console.Args(1, -1),
		Example: `  ringmaster root add .
  ringmaster root add ~/src /srv/work`,
		RunE: r.run,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	return cmd
}

func (r *rootAdd) run(cmd *cobra.Command, dirs []string) error {
	c, err := r.target.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	var list []string
	for _, d := range dirs {
		abs, err := filepath.Abs(d)
		if err != nil {
			return err
		}
		if list, err = c.AddRoot(cmd.Context(), abs); err != nil {
			return err
		}
	}
	return printRoots(r.con.Out, list, nil)
}

// rootForget is the command root forget.
type rootForget struct {
	con    *console.Console
	target *lifecycle.Target
}

func newRootForget(con *console.Console, target *lifecycle.Target) *cobra.Command {
	r := &rootForget{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "forget DIR…",
		Short: "Take folders away that commands have worked in; no daemon may run",
		Args:  console.Args(1, -1),
		Example: `  ringmaster down
  ringmaster root forget /tmp/experiment`,
		RunE: r.run,
	}
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		folder, err := target.Folder()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return folder.Remembered(), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

func (r *rootForget) run(_ *cobra.Command, dirs []string) error {
	folder, err := r.target.Local("root forget")
	if err != nil {
		return err
	}
	if _, held := folder.Holder(); held {
		return exit.WithHint(errors.New("a daemon runs, and takes no root away from its sessions"), "end it first: ringmaster down")
	}
	for _, d := range dirs {
		abs, err := filepath.Abs(d)
		if err != nil {
			return err
		}
		had, err := folder.Forget(abs)
		if err != nil {
			return err
		}
		if !had {
			return exit.WithHint(fmt.Errorf("%s is none of the folders that commands have worked in", abs), "they are: "+joined(folder.Remembered()))
		}
	}
	return printRoots(r.con.Out, folder.Remembered(), nil)
}

func printRoots(w io.Writer, list []string, err error) error {
	for _, r := range list {
		if err == nil {
			_, err = fmt.Fprintln(w, console.OneLine(r, 0))
		}
	}
	return err
}

// joined names folders for people.
func joined(list []string) string {
	if len(list) == 0 {
		return "none yet"
	}
	return strings.Join(list, ", ")
}
