package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// daemonLog is where a daemon writes that a host has started.
const daemonLog = "daemon.log"

// launch starts a daemon with roots and further flags that outlives this command, on a free port of this machine, which the agents' own
// MCP server needs. ended is closed when its process is over, as soon as the data folder turns out to be another daemon's.
func launch(folder datafolder.Folder, roots, flags []string) (ended <-chan struct{}, err error) {
	if err := folder.Create(); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(filepath.Join(folder.Path, daemonLog), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("log of the daemon: %w", err)
	}
	defer func() { _ = log.Close() }()
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	call := []string{"serve", "--data", folder.Path, "--listen", "127.0.0.1:0"}
	call = append(call, flags...)
	for _, r := range roots {
		call = append(call, "--root", r)
	}
	cmd := exec.Command(program, call...)
	cmd.Stderr = log
	cmd.Dir = folder.Path
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // the host's signals are not for it
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a daemon: %w", err)
	}
	over := make(chan struct{})
	go func() { // ends with the daemon, or with the program
		_ = cmd.Wait() // its log says why
		close(over)
	}()
	return over, nil
}
