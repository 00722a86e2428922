package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// idleExit is after how long without work a daemon ends itself that a command has started.
const idleExit = 15 * time.Minute

// connect finds the daemon, or starts one where none runs. One that is named by its address is never started.
func (p *Program) connect(ctx context.Context) (*client.Client, error) {
	return p.connectAt(ctx, "", nil)
}

// connectAt does so for a session in a folder. A daemon whose roots nobody has named gets that folder as one. flags are further ones of
// serve, for a daemon that is started.
func (p *Program) connectAt(ctx context.Context, folder string, flags []string) (*client.Client, error) {
	c, err := p.reach(ctx)
	if err == nil {
		if len(flags) > 0 {
			p.say("a daemon runs already: " + flags[0] + " is its own affair")
		}
		return p.atHome(ctx, c, folder)
	}
	var away *client.Unreachable
	if !errors.As(err, &away) && !isEnding(err) || p.address != "" {
		return nil, err
	}
	data, err := p.folder()
	if err != nil {
		return nil, err
	}
	l, err := p.onDemand(data, folder)
	if err != nil {
		return nil, err
	}
	l.flags = append(l.flags, flags...)
	c, started, err := p.startDaemon(ctx, l)
	if err != nil {
		return nil, err
	}
	if started {
		p.say(fmt.Sprintf("no daemon ran: started one, which ends itself after %s without work (ringmaster down ends it now)", minutes(l.idle)))
	}
	return p.atHome(ctx, c, folder)
}

// isEnding says that a daemon answered that it is just starting or ending.
func isEnding(err error) bool {
	return errors.Is(err, protocol.NewProblem(protocol.CodeUnavailable, "", ""))
}

func minutes(d time.Duration) string {
	if d%time.Minute == 0 {
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return d.String()
}

// onDemand is the daemon that a command starts which needs one: with the roots of the configuration, or where it names none with the
// folders that commands worked in.
func (p *Program) onDemand(data datafolder.Folder, folder string) (launch, error) {
	settings, err := p.settings(nil)
	if err != nil {
		return launch{}, err
	}
	l := launch{folder: data, idle: idleExit, flags: p.configArgs()}
	if settings.given("idle-exit") {
		l.idle = settings.flags.idleExit
	} else {
		l.flags = append(l.flags, "--idle-exit", idleExit.String())
	}
	if !settings.given("listen") {
		l.flags = append(l.flags, "--listen", "127.0.0.1:0") // the agents' own MCP server needs one, and no port is to be in the way of another
	}
	if !settings.given("root") {
		l.roots = data.Remembered()
		if folder != "" && !within(l.roots, folder) {
			l.roots = append(l.roots, folder)
		}
	}
	return l, nil
}

// atHome gives a daemon the folder of a session, and those of earlier ones, where it takes the folders of commands.
func (p *Program) atHome(ctx context.Context, c *client.Client, folder string) (*client.Client, error) {
	data, err := p.folder()
	if err != nil || p.address != "" {
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
		if err != nil || within(a.Roots, resolved) {
			continue // the daemon says what is wrong with a folder that is not there
		}
		if a.Roots, err = c.AddRoot(ctx, f); err != nil {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

// startDaemon starts a daemon and waits until it answers. Of several that are started at once one gets the data folder and answers for
// all; while an earlier one is ending still, none does, and it is tried again. started says that it was this one.
func (p *Program) startDaemon(ctx context.Context, l launch) (c *client.Client, started bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	look := time.NewTicker(startLook)
	defer look.Stop()
	var run *running
	for wait := time.Duration(0); ; wait -= startLook {
		if c, err := p.reach(ctx); err == nil {
			return c, run.answers(l.folder), nil
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
			return nil, false, p.didNotStart(l, run)
		}
	}
}

// didNotStart says why: with the last words of the daemon that was started, where it has ended.
func (p *Program) didNotStart(l launch, run *running) error {
	if pid, held := l.folder.Holder(); held && pid > 0 {
		return withHint(fmt.Errorf("the daemon of %s, process %d, does not answer", l.folder.Path, pid),
			fmt.Sprintf("ringmaster down ends it (kill %d), ringmaster logs shows its log", pid))
	}
	err := errors.New("the daemon that was started does not answer")
	if last := run.lastLine(); last != "" {
		err = errors.New("the daemon that was started has ended: " + last)
	}
	return withHint(err, "ringmaster logs shows its log, "+l.folder.LogFile())
}

// within says that a path is one of the folders or inside one.
func within(folders []string, path string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool {
		rest, err := filepath.Rel(folder, path)
		return err == nil && filepath.IsLocal(rest)
	})
}
