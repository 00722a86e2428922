package command

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
)

func (p *Program) roots() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "root",
		Short: "The folders inside which agents may work: list, add, forget",
		Args:  args(0, 0),
		Example: `  ringmaster root ls
  ringmaster root add ~/src`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, c := range []*cobra.Command{p.rootList(), p.rootAdd(), p.rootForget()} {
		p.begin(c)
		cmd.AddCommand(c)
	}
	return cmd
}

func (p *Program) rootList() *cobra.Command {
	return &cobra.Command{
		Use:     "ls",
		Short:   "List the roots of the daemon",
		Args:    args(0, 0),
		Example: `  ringmaster root ls`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := p.connect(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			list, err := c.Roots(cmd.Context())
			return p.printRoots(list, err)
		},
	}
}

func (p *Program) rootAdd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "add DIR…",
		Short: "Let agents work inside folders, from now on",
		Long: `Let agents work inside folders, from now on and without a restart: until the daemon ends, or for good where it is one whose roots nobody
has named. A root that is to stay is best named in the configuration file.`,
		Args: args(1, -1),
		Example: `  ringmaster root add .
  ringmaster root add ~/src /srv/work`,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			c, err := p.connect(cmd.Context())
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
			return p.printRoots(list, nil)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
	}
	return cmd
}

func (p *Program) rootForget() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "forget DIR…",
		Short: "Take folders away that commands have worked in; no daemon may run",
		Args:  args(1, -1),
		Example: `  ringmaster down
  ringmaster root forget /tmp/experiment`,
		RunE: func(_ *cobra.Command, dirs []string) error {
			folder, err := p.local("root forget")
			if err != nil {
				return err
			}
			if _, held := folder.Holder(); held {
				return withHint(errors.New("a daemon runs, and takes no root away from its sessions"), "end it first: ringmaster down")
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
					return withHint(fmt.Errorf("%s is none of the folders that commands have worked in", abs), "they are: "+joined(folder.Remembered()))
				}
			}
			return p.printRoots(folder.Remembered(), nil)
		},
	}
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		folder, err := p.folder()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return folder.Remembered(), cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

func (p *Program) printRoots(list []string, err error) error {
	for _, r := range list {
		if err == nil {
			_, err = fmt.Fprintln(p.Out, oneLine(r, 0))
		}
	}
	return err
}
