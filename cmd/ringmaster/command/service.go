package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/service"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
)

// newService makes the command service, and what is below it.
func newService(con *console.Console, target *lifecycle.Target) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service",
		Short: "Have the system start the daemon when you log in: install, uninstall",
		Args:  console.Args(0, 0),
		Example: `  ringmaster service install --root ~/src
  ringmaster service uninstall`,
		RunE: console.ShowHelp,
	}
	cmd.AddCommand(newServiceInstall(con, target), newServiceUninstall(con))
	return cmd
}

// serviceInstall is the command service install.
type serviceInstall struct {
	con     *console.Console
	target  *lifecycle.Target
	flags   *settings.Flags
	printed bool
	kind    string
}

func newServiceInstall(con *console.Console, target *lifecycle.Target) *cobra.Command {
	i := &serviceInstall{con: con, target: target, flags: settings.NewFlags()}
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Install the daemon as a service of this user, and start it",
		Long: `Install the daemon as a service of this user, and start it: a user unit of systemd, or an agent of launchd. It is run with the flags that are
given here, with what the configuration file says, and with the $PATH of this shell, by which agents are found.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster service install --root ~/src
  ringmaster service install --root ~/src --print`,
		RunE: i.run,
	}
	i.flags.AddTo(cmd)
	cmd.Flags().BoolVar(&i.printed, "print", false, "print the service's file and do nothing")
	serviceKind(cmd, &i.kind)
	return cmd
}

func (i *serviceInstall) run(cmd *cobra.Command, _ []string) error {
	s, err := i.target.Settings(i.flags)
	if err != nil {
		return err
	}
	if err := s.MakeWhole(); err != nil {
		return err
	}
	if _, err := i.target.DaemonConfig(s); err != nil { // what would not start is not installed
		return err
	}
	manager, text, err := i.described(s)
	if err != nil {
		return err
	}
	if i.printed {
		_, err := i.con.Out.Write(text)
		return err
	}
	return i.install(cmd.Context(), manager, text)
}

func serviceKind(cmd *cobra.Command, kind *string) {
	cmd.Flags().StringVar(kind, "kind", "", "systemd or launchd (default: that of this system)")
	console.CompleteWords(cmd, "kind", "systemd", "launchd")
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
		return service.Manager{}, exit.Usagef("--kind %q: want systemd or launchd", kind)
	}
	return m, nil
}

// described is the service's file.
func (i *serviceInstall) described(s *settings.Settings) (service.Manager, []byte, error) {
	m, err := managerOf(i.kind)
	if err != nil {
		return m, nil, err
	}
	program, err := os.Executable()
	if err != nil {
		return m, nil, fmt.Errorf("find this program: %w", err)
	}
	folder, err := i.target.Folder()
	if err != nil {
		return m, nil, err
	}
	call := append([]string{program, "serve"}, i.target.ConfigArgs()...)
	if i.target.Data != "" || os.Getenv(datafolder.EnvData) != "" {
		call = append(call, "--data", folder.Path)
	}
	text, err := m.Describe(service.Service{Call: append(call, s.Args()...), Path: os.Getenv("PATH"), Log: folder.LogFile()})
	return m, text, err
}

func (i *serviceInstall) install(ctx context.Context, m service.Manager, text []byte) error {
	path, err := m.Path()
	if err != nil {
		return err
	}
	folder, err := i.target.Folder()
	if err != nil {
		return err
	}
	there, err := os.ReadFile(path)
	switch {
	case err == nil && !bytes.Contains(there, []byte(service.Mark)):
		return exit.WithHint(fmt.Errorf("%s is there, and was not made by ringmaster", path), "remove it, or look at what would be written: --print")
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
	if _, err := fmt.Fprintln(i.con.Out, "wrote "+path); err != nil {
		return err
	}
	const later = "the file is there; try this once the manager runs, in a session of this user"
	if err := manage(ctx, i.con.Out, m.Load(), later); err != nil { // the daemon that runs is ended only for one that can be started
		return err
	}
	if m.Loaded != nil {
		loaded := m.Loaded()
		if exec.CommandContext(ctx, loaded[0], loaded[1:]...).Run() == nil {
			if err := manage(ctx, i.con.Out, m.Stop(path), later); err != nil {
				return err
			}
		}
	}
	if pid, held := folder.Holder(); held {
		i.con.Say(fmt.Sprintf("daemon %d runs, and is ended: the service takes its place", pid))
		if err := lifecycle.End(ctx, folder, lifecycle.InOrder); err != nil {
			return err
		}
	}
	return manage(ctx, i.con.Out, m.Start(path), later)
}

// manage runs the commands of a manager of services. hint is for one that fails.
func manage(ctx context.Context, out io.Writer, calls [][]string, hint string) error {
	for _, call := range calls {
		if _, err := exec.LookPath(call[0]); err != nil {
			return exit.WithHint(fmt.Errorf("%s is not on this machine", call[0]), "what it was to do: "+strings.Join(call, " "))
		}
		cmd := exec.CommandContext(ctx, call[0], call[1:]...)
		said, err := cmd.CombinedOutput()
		if err != nil {
			return exit.WithHint(fmt.Errorf("%s: %w: %s", strings.Join(call, " "), err, console.OneLine(string(said), 200)), hint)
		}
		if _, err := fmt.Fprintln(out, "ran   "+strings.Join(call, " ")); err != nil {
			return err
		}
	}
	return nil
}

// serviceUninstall is the command service uninstall.
type serviceUninstall struct {
	con  *console.Console
	kind string
}

func newServiceUninstall(con *console.Console) *cobra.Command {
	u := &serviceUninstall{con: con}
	cmd := &cobra.Command{
		Use:     "uninstall",
		Short:   "End the service and remove it; sessions and configuration stay",
		Args:    console.Args(0, 0),
		Example: `  ringmaster service uninstall`,
		RunE:    u.run,
	}
	serviceKind(cmd, &u.kind)
	return cmd
}

func (u *serviceUninstall) run(cmd *cobra.Command, _ []string) error {
	m, err := managerOf(u.kind)
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
		_, err := fmt.Fprintln(u.con.Out, "no service is installed: "+path+" is not there")
		return err
	case err != nil:
		return err
	case !bytes.Contains(there, []byte(service.Mark)):
		return exit.WithHint(fmt.Errorf("%s was not made by ringmaster", path), "remove it by hand, if it is yours")
	}
	// The file goes all the same: it would start the daemon again.
	ended := manage(cmd.Context(), u.con.Out, m.Stop(path), "the file is removed; what may still run of the service ends with: ringmaster down")
	if err := os.Remove(path); err != nil {
		return err
	}
	_, err = fmt.Fprintln(u.con.Out, "removed "+path)
	return errors.Join(ended, err)
}
