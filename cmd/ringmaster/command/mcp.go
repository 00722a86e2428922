package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/bridge"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
)

// startTime is how long a daemon may take to come up.
const startTime = 15 * time.Second

func (p *Program) mcp() *cobra.Command {
	var roots []string
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve MCP over standard input and output, for hosts that start their servers",
		Long: `Carries MCP between standard input and output and the daemon. Where none runs for the data folder, one is started with
the folders of --root; it stays when this command ends, as its sessions do.`,
		Args: args(0, 0),
		Example: `  ringmaster mcp --root ~/src
  claude mcp add ringmaster -- ringmaster mcp --root ~/src`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := p.daemonToStay(cmd.Context(), roots)
			if err != nil {
				return err
			}
			defer c.Close()
			return bridge.Run(cmd.Context(), c.MCP, p.In, p.Out, p.Err)
		},
	}
	cmd.Flags().StringArrayVar(&roots, "root", nil, "of a daemon that is started: agents may work inside this folder; may be repeated")
	_ = cmd.MarkFlagDirname("root")
	return cmd
}

// daemonToStay finds the daemon, or starts one that stays, where none is named and none runs.
func (p *Program) daemonToStay(ctx context.Context, roots []string) (*client.Client, error) {
	c, err := p.reach(ctx)
	var away *client.Unreachable
	if err == nil || !errors.As(err, &away) || p.address != "" {
		return c, err
	}
	if len(roots) == 0 {
		return nil, withHint(err, "give --root DIR to have one started, or start it with: ringmaster serve --root DIR")
	}
	if err := p.launch(roots); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			if c, err := p.reach(ctx); err == nil {
				return c, nil
			}
		case <-ctx.Done():
			folder, err := p.folder()
			if err != nil {
				return nil, err
			}
			return nil, withHint(errors.New("the daemon that was started does not answer"), "see "+filepath.Join(folder.Path, daemonLog))
		}
	}
}

const daemonLog = "daemon.log"

// launch starts a daemon that outlives this command. Of several that are started at once one gets the data folder.
func (p *Program) launch(roots []string) error {
	roots, err := checkRoots(roots)
	if err != nil {
		return err
	}
	folder, err := p.folder()
	if err != nil {
		return err
	}
	if err := folder.Create(); err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(folder.Path, daemonLog), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("log of the daemon: %w", err)
	}
	defer func() { _ = log.Close() }()
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	call := []string{"serve", "--data", folder.Path, "--listen", none}
	for _, r := range roots {
		call = append(call, "--root", r)
	}
	cmd := exec.Command(program, call...)
	cmd.Stderr = log
	cmd.Dir = folder.Path
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // the host's signals are not for it
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start a daemon: %w", err)
	}
	return cmd.Process.Release()
}
