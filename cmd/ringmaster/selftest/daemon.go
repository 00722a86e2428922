package selftest

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/discovery"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/program"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// daemon is this program as a process of its own, on a data folder of its own. One that has ended can be started again.
type daemon struct {
	program, data, root string
	durability          supervisor.Durability

	process *program.Daemon // nil: not begun yet
	client  *client.Client
}

// start starts the daemon and returns when it answers.
func (d *daemon) start(ctx context.Context) error {
	cmd := program.Command(d.program, d.data, d.root, "--durability", string(d.durability))
	cmd.Env = []string{"HOME=" + d.root, "PATH=" + os.Getenv("PATH")}
	process, err := program.Start(cmd)
	if err != nil {
		return fmt.Errorf("selftest: %w", err)
	}
	d.process = process
	address, err := process.Running(ctx)
	if err != nil {
		d.kill()
		return fmt.Errorf("selftest: %w", err)
	}
	token, err := discovery.ReadToken(datafolder.Folder{Path: d.data}.TokenFile())
	if err != nil {
		return fmt.Errorf("selftest: %w", err)
	}
	// A request that the daemon dies under is not sent again: the next life has another address.
	if d.client, err = client.At(address, token, client.Patience(0)); err != nil {
		return err
	}
	_, err = d.client.Ready(ctx)
	return err
}

// kill ends it as a crash does.
func (d *daemon) kill() {
	if d.process == nil {
		return
	}
	d.process.Kill()
	if d.client != nil {
		d.client.Close()
	}
}

// stop ends it in order. The note says what was not.
func (d *daemon) stop() (took time.Duration, note string) {
	began := time.Now()
	note = d.process.Stop(audit.StopTime + 5*time.Second)
	took = time.Since(began)
	d.client.Close()
	return took, note
}

// marker begins the marker of all processes that daemons on the data folder started.
func (d *daemon) marker() (string, error) {
	name, err := program.Instance(d.data)
	if err != nil {
		return "", fmt.Errorf("selftest: %w", err)
	}
	return name + "/", nil
}
