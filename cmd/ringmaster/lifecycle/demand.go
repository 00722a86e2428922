package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	startTime  = 15 * time.Second // for a daemon to come up; an earlier one may be ending meanwhile
	startAgain = time.Second      // between two tries to start one
	reachTime  = 5 * time.Second  // for one look at it
	startLook  = 50 * time.Millisecond
)

// idleExit is after how long without work a daemon ends itself that a command has started.
const idleExit = 15 * time.Minute

// Connect finds the daemon, or starts one where none runs. One that is named by its address is never started.
func (t *Target) Connect(ctx context.Context) (*client.Client, error) {
	return t.ConnectAt(ctx, "", nil)
}

// ConnectAt does so for a session in a folder. A daemon whose roots nobody has named gets that folder as one. flags are further ones of
// serve, for a daemon that is started.
func (t *Target) ConnectAt(ctx context.Context, folder string, flags []string) (*client.Client, error) {
	c, err := t.Reach(ctx)
	if err == nil {
		if len(flags) > 0 {
			t.Console.Say("a daemon runs already: " + flags[0] + " is its own affair")
		}
		return t.atHome(ctx, c, folder)
	}
	var away *client.Unreachable
	if !errors.As(err, &away) && !isEnding(err) || t.Address != "" {
		return nil, err
	}
	data, err := t.Folder()
	if err != nil {
		return nil, err
	}
	l, err := t.OnDemand(data, folder)
	if err != nil {
		return nil, err
	}
	l.Flags = append(l.Flags, flags...)
	c, started, err := t.Start(ctx, l)
	if err != nil {
		return nil, err
	}
	if started {
		t.Console.Say(fmt.Sprintf("no daemon ran: started one, which ends itself after %s without work (ringmaster down ends it now)", Minutes(l.idle)))
	}
	return t.atHome(ctx, c, folder)
}

// isEnding says that a daemon answered that it is just starting or ending.
func isEnding(err error) bool {
	return errors.Is(err, protocol.NewProblem(protocol.CodeUnavailable, "", ""))
}

// Minutes is a time for people.
func Minutes(d time.Duration) string {
	if d%time.Minute == 0 {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return d.String()
}

// OnDemand is the daemon that a command starts which needs one: with the roots of the configuration, or where it names none with the
// folders that commands worked in.
func (t *Target) OnDemand(data datafolder.Folder, folder string) (Launch, error) {
	s, err := t.Settings(settings.NewFlags())
	if err != nil {
		return Launch{}, err
	}
	l := Launch{Folder: data, idle: idleExit, Flags: t.ConfigArgs()}
	if s.Given("idle-exit") {
		l.idle = s.IdleExit()
	} else {
		l.Flags = append(l.Flags, "--idle-exit", idleExit.String())
	}
	if !s.Given("listen") {
		l.Flags = append(l.Flags, "--listen", "127.0.0.1:0") // the agents' own MCP server needs one, and no port is to be in the way of another
	}
	if !s.Given("root") {
		l.Roots = data.Remembered()
		if folder != "" && !Within(l.Roots, folder) {
			l.Roots = append(l.Roots, folder)
		}
	}
	return l, nil
}

// atHome gives a daemon the folder of a session, and those of earlier ones, where it takes the folders of commands.
func (t *Target) atHome(ctx context.Context, c *client.Client, folder string) (*client.Client, error) {
	data, err := t.Folder()
	if err != nil || t.Address != "" {
		return c, nil //nolint:nilerr // there is a daemon, named in another way
	}
	a, err := data.ReadAddress()
	if err != nil || !a.TakesRoots {
		return c, nil //nolint:nilerr // its roots are its own
	}
	missing := data.Remembered()
	if folder != "" {
		missing = append(missing, folder)
	}
	for _, f := range missing {
		resolved, err := filepath.EvalSymlinks(f)
		if err != nil || Within(a.Roots, resolved) {
			continue // the daemon says what is wrong with a folder that is not there
		}
		if a.Roots, err = c.AddRoot(ctx, f); err != nil {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

// Start starts a daemon and waits until it answers. Of several that are started at once one gets the data folder and answers for
// all; while an earlier one is ending still, none does, and it is tried again. started says that it was this one.
func (t *Target) Start(ctx context.Context, l Launch) (c *client.Client, started bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	look := time.NewTicker(startLook)
	defer look.Stop()
	var run *running
	for wait := time.Duration(0); ; wait -= startLook {
		// A listener that nobody serves any more must not take all the time: another look may find the one that is served.
		try, done := context.WithTimeout(ctx, reachTime)
		c, err := t.Reach(try)
		done()
		if err == nil {
			return c, run.answers(l.Folder), nil
		}
		if wait <= 0 && (run == nil || run.over()) {
			if run, err = l.start(); err != nil {
				return nil, false, err
			}
			wait = startAgain
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			if err := context.Cause(ctx); !errors.Is(err, context.DeadlineExceeded) {
				return nil, false, err
			}
			return nil, false, didNotStart(l, run)
		}
	}
}

// didNotStart says why: with the last words of the daemon that was started, where it has ended.
func didNotStart(l Launch, run *running) error {
	if pid, held := l.Folder.Holder(); held && pid > 0 {
		return exit.WithHint(fmt.Errorf("the daemon of %s, process %d, does not answer", l.Folder.Path, pid),
			fmt.Sprintf("ringmaster down ends it (kill %d), ringmaster logs shows its log", pid))
	}
	err := errors.New("the daemon that was started does not answer")
	if last := run.lastLine(); last != "" {
		err = errors.New("the daemon that was started has ended: " + last)
	}
	return exit.WithHint(err, "ringmaster logs shows its log, "+l.Folder.LogFile())
}

// Within says that a path is one of the folders or inside one.
func Within(folders []string, path string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		rest, err := filepath.Rel(folder, path)
		return err == nil && filepath.IsLocal(rest)
	})
}
