package command

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// reachTries are those of one request, each of which found that the daemon had gone.
const reachTries = 3

// urgency says what is done where no daemon runs.
type urgency uint8

const (
	leaving   urgency = iota // nothing
	listening                // one that was killed is started again, and one that was ended in order is not
	calling                  // one is started
)

// urgencyOf is that of a request of MCP's HTTP transport. A stream of notifications is opened by a call in the new era.
func urgencyOf(method string, header http.Header) urgency {
	switch {
	case method == http.MethodGet, header.Get("Mcp-Method") == "subscriptions/listen":
		return listening
	case method == http.MethodPost:
		return calling
	}
	return leaving
}

// keeper has a daemon answer an MCP host: the one of the data folder, to which the host's folders are given, or one that it starts, where
// none runs or the one that ran was killed.
type keeper struct {
	con    *console.Console
	target *lifecycle.Target
	folder datafolder.Folder
	roots  []string // absolute; empty: nothing is started and nothing is asked for
	flags  []string // of serve, besides them, for a daemon that is started
	began  int64    // Unix ms

	lock   chan struct{} // one slot; held while a daemon is looked for, which may take long
	client *client.Client
	found  datafolder.Address // of client's daemon
}

func newKeeper(con *console.Console, target *lifecycle.Target, roots []string) (*keeper, error) {
	k := &keeper{con: con, target: target, began: time.Now().UnixMilli(), lock: make(chan struct{}, 1)}
	var err error
	if len(roots) > 0 {
		if k.roots, err = settings.CheckRoots(roots); err != nil {
			return nil, err
		}
	}
	if k.folder, err = target.Folder(); err != nil && target.Address == "" {
		return nil, err
	}
	return k, nil
}

func (k *keeper) close() {
	if k.client != nil {
		k.client.Close()
	}
}

// mcp is a bridge.Daemon. A request that reached nobody is sent again once there is a daemon; one that was under way when the daemon
// ended is not, as it may have been carried out.
func (k *keeper) mcp(ctx context.Context, method string, header http.Header, body []byte) (*http.Response, error) {
	for n := 1; ; n++ {
		c, err := k.reach(ctx, urgencyOf(method, header))
		if err != nil {
			return nil, err
		}
		resp, err := c.MCP(ctx, method, header, body)
		var dial *net.OpError
		if err == nil || n == reachTries || !errors.As(err, &dial) || dial.Op != "dial" {
			return resp, err
		}
		if err := k.forget(ctx, c); err != nil {
			return nil, err
		}
	}
}

// reach gives a daemon that answered, or answers now, and has the host's folders.
func (k *keeper) reach(ctx context.Context, need urgency) (*client.Client, error) {
	if err := k.take(ctx); err != nil {
		return nil, err
	}
	defer k.give()
	address, addressErr := k.folder.ReadAddress()
	// A killed daemon's sockets may take a request that nobody will answer: what it was starting has them until it runs its own program.
	if k.client != nil && (k.target.Address != "" || addressErr == nil && address.PID == k.found.PID && !gone(address.PID)) {
		return k.client, nil
	}
	c, err := k.target.Reach(ctx)
	if err == nil && len(k.flags) > 0 {
		k.con.Say("a daemon runs already: " + k.flags[0] + " is its own affair")
	}
	var away *client.Unreachable
	if errors.As(err, &away) && k.target.Address == "" && (need == calling || need == listening && addressErr == nil && gone(address.PID)) {
		c, err = k.start(ctx, away)
	}
	if err != nil {
		return nil, err
	}
	address, _ = k.folder.ReadAddress() // of a daemon that has just answered
	if err := k.addRoots(ctx, address.PID); err != nil {
		c.Close()
		return nil, err
	}
	k.close()
	k.client, k.found = c, address
	return c, nil
}

// gone says that a process has ended. A daemon that does not answer and is still there is ending in order: it takes its address along.
func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

func (k *keeper) take(ctx context.Context) error {
	select {
	case k.lock <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (k *keeper) give() { <-k.lock }

// forget has the daemon looked for again, unless that was done already.
func (k *keeper) forget(ctx context.Context, gone *client.Client) error {
	if err := k.take(ctx); err != nil {
		return err
	}
	defer k.give()
	if k.client == gone {
		k.client.Close()
		k.client = nil
	}
	return nil
}

// start starts a daemon and waits until it answers.
func (k *keeper) start(ctx context.Context, away error) (*client.Client, error) {
	if len(k.roots) == 0 {
		return nil, exit.WithHint(away, "give --root DIR to have one started, or start it with: ringmaster up --root DIR")
	}
	l, err := k.target.OnDemand(k.folder, "")
	if err != nil {
		return nil, err
	}
	l.Roots, l.Flags = k.wanted(), append(l.Flags, k.flags...)
	c, _, err := k.target.Start(ctx, l)
	return c, err
}

// wanted are the roots of a daemon that is started: the host's, and those that the one had which was killed, where it answered this host or
// ran while this host did. One from before may have had folders that nobody means any more.
func (k *keeper) wanted() []string {
	roots := slices.Clone(k.roots)
	last, err := k.folder.ReadAddress()
	if err != nil || last.PID != k.found.PID && last.Since < k.began {
		return roots
	}
	for _, r := range last.Roots {
		if info, err := os.Stat(r); err == nil && info.IsDir() && !lifecycle.Within(roots, r) {
			roots = append(roots, r)
		}
	}
	return roots
}

// addRoots gives a daemon the host's folders. One that does not take them is none for this host, whose sessions would be refused.
func (k *keeper) addRoots(ctx context.Context, pid int) error {
	if len(k.roots) == 0 {
		return nil
	}
	c, err := lifecycle.Place{Folder: k.folder, Address: k.target.Address}.Find() // as who runs this command, not as who the host is
	if err != nil {
		return err
	}
	defer c.Close()
	there, err := c.Roots(ctx)
	for _, r := range k.roots {
		resolved, _ := filepath.EvalSymlinks(r) // it was there when the command began; else the daemon says what is wrong
		if err == nil && !lifecycle.Within(there, resolved) {
			_, err = c.AddRoot(ctx, r)
		}
		if err != nil {
			return k.refused(c.Where(), pid, r, there, err)
		}
	}
	return nil
}

func (k *keeper) refused(where string, pid int, root string, there []string, err error) error {
	var p *protocol.Problem
	why := err.Error()
	if errors.As(err, &p) {
		why = exit.InCommands(p.Detail)
	}
	process, end := "", "End it"
	if pid > 0 && k.target.Address == "" {
		process, end = fmt.Sprintf(", process %d", pid), fmt.Sprintf("End it (kill %d)", pid)
	}
	return &protocol.Problem{
		Code: protocol.CodeForbidden,
		Detail: fmt.Sprintf("The daemon that runs already, at %s%s, takes no root more, and its sessions work inside %s alone, not in %s. %s",
			where, process, strings.Join(there, ", "), root, why),
		Hint: fmt.Sprintf("%s and start it with --root %s as well, or give this host a daemon of its own with --data.", end, root),
	}
}
