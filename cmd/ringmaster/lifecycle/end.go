package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// InOrder is the signal that ends a daemon in order.
const InOrder = syscall.SIGTERM

// endTime is how long a daemon may take to go: to drain, and to be taken from the system.
const endTime = daemon.DrainTime + 5*time.Second

// End ends the daemon that holds a folder with a signal, and returns when it does no longer.
func End(ctx context.Context, folder datafolder.Folder, signal syscall.Signal) error {
	pid, held := folder.Holder()
	if !held {
		return nil
	}
	if pid == 0 {
		return exit.WithHint(errors.New("the daemon that holds "+folder.Path+" is no process of this machine that can be seen"),
			"end it where it runs: in its container, or as its user")
	}
	if err := syscall.Kill(pid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("end process %d: %w", pid, err)
	}
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	look := time.NewTicker(startLook)
	defer look.Stop()
	for {
		if now, held := folder.Holder(); !held || now != pid && now != 0 {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			if err := context.Cause(ctx); !errors.Is(err, context.DeadlineExceeded) {
				return err
			}
			return exit.WithHint(fmt.Errorf("the daemon, process %d, has not ended within %s", pid, endTime),
				"ringmaster down --force kills it; ringmaster logs shows why")
		}
	}
}

// Drain ends a daemon of this process within its time, or leaves it at a signal.
func Drain(ctx context.Context, d *daemon.Daemon, signals *console.Signals) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), daemon.DrainTime)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- d.Close(ctx) }() // ends with Close, or with the program
	select {
	case err := <-closed:
		if err != nil {
			return fmt.Errorf("end in order: %w", err)
		}
		return nil
	case <-signals.C:
		return exit.ErrStopped
	}
}
