package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/service"
)

func (p *Program) service() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Have the system start the daemon when you log in: install, uninstall",
		Args:  args(0, 0),
		Example: `  ringmaster service install --root ~/src
  ringmaster service uninstall`,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, c := range []*cobra.Command{p.serviceInstall(), p.serviceUninstall()} {
		p.begin(c)
		cmd.AddCommand(c)
	}
	return cmd
}

func (p *Program) serviceInstall() *cobra.Command {
	var flags serveFlags
	var set *pflag.FlagSet
	var printed bool
	var kind string
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Install the daemon as a service of this user, and start it",
		Long: `Install the daemon as a service of this user, and start it: a user unit of systemd, or an agent of launchd. It is run with the flags that are
given here, with what the configuration file says, and with the $PATH of this shell, by which agents are found.`,
		Args: args(0, 0),
		Example: `  ringmaster service install --root ~/src
  ringmaster service install --root ~/src --print`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := p.settingsOf(&flags, set)
			if err != nil {
				return err
			}
			if err := s.whole(); err != nil {
				return err
			}
			if _, err := p.serveConfig(s); err != nil { // what would not start is not installed
				return err
			}
			manager, text, err := p.described(kind, s)
			if err != nil {
				return err
			}
			if printed {
				_, err := p.Out.Write(text)
				return err
			}
			return p.install(cmd.Context(), manager, text)
		},
	}
	set = flags.add(cmd)
	cmd.Flags().BoolVar(&printed, "print", false, "print the service's file and do nothing")
	serviceKind(cmd, &kind)
	return cmd
}

func serviceKind(cmd *cobra.Command, kind *string) {
	cmd.Flags().StringVar(kind, "kind", "", "systemd or launchd (default: that of this system)")
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions([]string{"systemd", "launchd"}, cobra.ShellCompDirectiveNoFileComp))
}

// managerOf gives the manager of services: of this system, or the one that is named.
func managerOf(kind string) (service.Manager, error) {
	if kind == "" {
		kind = "systemd"
		if runtime.GOOS == "darwin" {
			kind = "launchd"
		}
	}
	m, ok := service.Managers[kind]
	if !ok {
		return service.Manager{}, usagef("--kind %q: want systemd or launchd", kind)
	}
	return m, nil
}

// described is the service's file.
func (p *Program) described(kind string, s *daemonSettings) (service.Manager, []byte, error) {
	m, err := managerOf(kind)
	if err != nil {
		return m, nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return m, nil, fmt.Errorf("find this program: %w", err)
	}
	folder, err := p.folder()
	if err != nil {
		return m, nil, err
	}
	call := append([]string{program, "serve"}, p.configArgs()...)
	if p.data != "" || os.Getenv(datafolder.EnvData) != "" {
		call = append(call, "--data", folder.Path)
	}
	text, err := m.Describe(service.Service{Call: append(call, s.args()...), Path: os.Getenv("PATH"), Log: folder.LogFile()})
	return m, text, err
}

func (p *Program) install(ctx context.Context, m service.Manager, text []byte) error {
	path, err := m.Path()
	if err != nil {
		return err
	}
	folder, err := p.folder()
	if err != nil {
		return err
	}
	there, err := os.ReadFile(path)
	switch {
	case err == nil && !bytes.Contains(there, []byte(service.Mark)):
		return withHint(fmt.Errorf("%s is there, and was not made by ringmaster", path), "remove it, or look at what would be written: --print")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := folder.Create(); err != nil { // launchd writes the log there
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // a folder of the system's, as it is made otherwise
		return err
	}
	if err := os.WriteFile(path, text, 0o644); err != nil { //nolint:gosec // it holds no secret, and others' programs read it
		return err
	}
	if _, err := fmt.Fprintln(p.Out, "wrote "+path); err != nil {
		return err
	}
	const later = "the file is there; try this once the manager runs, in a session of this user"
	if err := p.manage(ctx, m.Load(), later); err != nil { // the daemon that runs is ended only for one that can be started
		return err
	}
	if m.Loaded != nil {
		loaded := m.Loaded()
		if exec.CommandContext(ctx, loaded[0], loaded[1:]...).Run() == nil {
			if err := p.manage(ctx, m.Stop(path), later); err != nil {
				return err
			}
		}
	}
	if pid, held := folder.Holder(); held {
		p.say(fmt.Sprintf("daemon %d runs, and is ended: the service takes its place", pid))
		if err := p.stop(ctx, folder, stopSignal); err != nil {
			return err
		}
	}
	return p.manage(ctx, m.Start(path), later)
}

// manage runs the commands of a manager of services. hint is for one that fails.
func (p *Program) manage(ctx context.Context, calls [][]string, hint string) error {
	for _, call := range calls {
		if _, err := exec.LookPath(call[0]); err != nil {
			return withHint(fmt.Errorf("%s is not on this machine", call[0]), "what it was to do: "+line(call))
		}
		cmd := exec.CommandContext(ctx, call[0], call[1:]...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return withHint(fmt.Errorf("%s: %w: %s", line(call), err, oneLine(string(out), 200)), hint)
		}
		if _, err := fmt.Fprintln(p.Out, "ran   "+line(call)); err != nil {
			return err
		}
	}
	return nil
}

func line(call []string) string {
	text := ""
	for i, word := range call {
		if i > 0 {
			text += " "
		}
		text += word
	}
	return text
}

func (p *Program) serviceUninstall() *cobra.Command {
	var kind string
	cmd := &cobra.Command{
		Use:     "uninstall",
		Short:   "End the service and remove it; sessions and configuration stay",
		Args:    args(0, 0),
		Example: `  ringmaster service uninstall`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := managerOf(kind)
			if err != nil {
				return err
			}
			path, err := m.Path()
			if err != nil {
				return err
			}
			there, err := os.ReadFile(path)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				_, err := fmt.Fprintln(p.Out, "no service is installed: "+path+" is not there")
				return err
			case err != nil:
				return err
			case !bytes.Contains(there, []byte(service.Mark)):
				return withHint(fmt.Errorf("%s was not made by ringmaster", path), "remove it by hand, if it is yours")
			}
			// The file goes all the same: it would start the daemon again.
			ended := p.manage(cmd.Context(), m.Stop(path), "the file is removed; what may still run of the service ends with: ringmaster down")
			if err := os.Remove(path); err != nil {
				return err
			}
			_, err = fmt.Fprintln(p.Out, "removed "+path)
			return errors.Join(ended, err)
		},
	}
	serviceKind(cmd, &kind)
	return cmd
}
