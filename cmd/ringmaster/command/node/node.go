// Package node is the command node: the daemons on one Core, and sessions that move between them.
package node

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Command makes the command node, and what is below it.
func Command(con *console.Console, target *lifecycle.Target) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "node",
		Short: "The daemons on the same Core: list them, and have their sessions move",
		Args:  console.Args(0, 0),
		Example: `  ringmaster node ls
  ringmaster node drain && ringmaster down
  ringmaster node forget 64d7f03884adbb31ec3a968add57e63a`,
		RunE: console.ShowHelp,
	}
	cmd.AddCommand(newList(con, target), newDrain(con, target), newJoin(con, target), newForget(con, target), newTake(con, target), newLost(con, target))
	return cmd
}

// list is the command node ls.
type list struct {
	con    *console.Console
	target *lifecycle.Target
	asJSON bool
}

func newList(con *console.Console, target *lifecycle.Target) *cobra.Command {
	l := &list{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List the daemons on the same Core, and how each stands",
		Long: `List the daemons on the same Core, and how each stands: up, silent (its lease has run out), draining, left, dead (another node has said
so), or unknown, where it has not said that it lives, as builds before do not. Without a Core there are none.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster node ls
  ringmaster node ls --json | jq -r '.[] | select(.state != "up") | .id'`,
		RunE: l.run,
	}
	cmd.Flags().BoolVar(&l.asJSON, "json", false, "as JSON")
	return cmd
}

func (l *list) run(cmd *cobra.Command, _ []string) error {
	c, err := l.target.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	found, err := client.ListNodes(cmd.Context(), c)
	if err != nil {
		return err
	}
	if l.asJSON {
		text, err := json.Marshal(append([]resource.NodeInfo{}, found...))
		if err != nil {
			return err
		}
		return console.PrintJSON(l.con.Out, text)
	}
	var t console.Table
	t.Add("NODE", "STATE", "LEASE", "SESSIONS", "WORKSPACES", "VERSION", "")
	for i := range found {
		n := &found[i]
		here := ""
		if n.Here {
			here = "this one"
		}
		t.Add(n.ID, stateOf(n), leaseOf(n), strconv.Itoa(n.Sessions), strings.Join(n.Workspaces, " "), n.Build, here)
	}
	if err := t.Print(l.con.Out); err != nil {
		return err
	}
	if len(found) == 0 {
		l.con.Say("this daemon has no Core, and knows of no other; ringmaster serve --core has it share one")
	}
	return nil
}

// stateOf is how a node stands.
func stateOf(n *resource.NodeInfo) string {
	switch {
	case n.SilentMs > 0:
		return string(n.State) + " for " + (time.Duration(n.SilentMs) * time.Millisecond).Round(time.Second).String()
	case n.Leaving > 0:
		return string(n.State) + ", " + strconv.Itoa(n.Leaving) + " to go"
	}
	return string(n.State)
}

// leaseOf is how much of a node's lease is left.
func leaseOf(n *resource.NodeInfo) string {
	if n.LeaseMs <= 0 {
		return ""
	}
	return (time.Duration(n.LeaseMs) * time.Millisecond).Round(time.Second).String()
}

func newJoin(con *console.Console, target *lifecycle.Target) *cobra.Command {
	return &cobra.Command{
		Use:   "join",
		Short: "Have this daemon take sessions again, behind a drain",
		Long: `Have this daemon take sessions again, which was told to give its own away (ringmaster node drain) and has not ended since. What it has given away
stays away until somebody wants something of it here. A daemon that was never told to has joined by its start with --core.`,
		Args:    console.Args(0, 0),
		Example: "  ringmaster node join",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := target.Connect(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			n, err := client.JoinNode(cmd.Context(), c, "here")
			if err != nil {
				return err
			}
			con.Say("this node takes sessions; it has " + strconv.Itoa(n.Sessions))
			return nil
		},
	}
}

func newDrain(con *console.Console, target *lifecycle.Target) *cobra.Command {
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "drain",
		Short: "Have this daemon give its sessions away, before it is ended for long",
		Long: `Have this daemon give its sessions away: those in its named workspaces (serve --workspace), which any node goes on with that has the same
workspace, when somebody asks it to, or at once where a prompt waits. Turns may come to their end for a while, at least for a third of the lease, and
are interrupted then. The others stay, and so does the daemon, which takes no sessions more until ringmaster node join, or its next start. The
command returns when all have gone.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster node drain && ringmaster down
  ringmaster node drain --wait 10m`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := target.Connect(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			return drain(cmd.Context(), con, c, wait)
		},
	}
	cmd.Flags().DurationVar(&wait, "wait", 30*time.Second, "for how long turns may come to their end")
	return cmd
}

const drainLook = 250 * time.Millisecond

// drain has the daemon give its sessions away, and returns when all have gone.
func drain(ctx context.Context, con *console.Console, c *client.Client, wait time.Duration) error {
	n, err := client.DrainNode(ctx, c, "here", wait)
	for said := 0; err == nil && n.Leaving != 0; {
		if n.Leaving > 0 && n.Leaving != said {
			said = n.Leaving
			con.Say(strconv.Itoa(said) + " sessions are still to go")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(drainLook):
		}
		n, err = thisNode(ctx, c)
	}
	switch {
	case err != nil:
		return err
	case n.State == resource.NodeUp:
		return exit.WithHint(errors.New("the node was told to take sessions again before all had gone"),
			"drain it anew, or ask whoever said ringmaster node join")
	}
	con.Say("this node has no sessions more that others can have; ringmaster down ends it")
	return nil
}

// thisNode is the node of the daemon that answers.
func thisNode(ctx context.Context, c *client.Client) (resource.NodeInfo, error) {
	found, err := client.ListNodes(ctx, c)
	for i := range found {
		if found[i].Here {
			return found[i], err
		}
	}
	if err == nil {
		err = errors.New("the daemon is not among the nodes of its Core any more: ringmaster logs says why")
	}
	return resource.NodeInfo{}, err
}

func newForget(con *console.Console, target *lifecycle.Target) *cobra.Command {
	return &cobra.Command{
		Use:   "forget NODE",
		Short: "Say that a node is gone for good, so that others can take its sessions",
		Long: `Say that a node is gone for good, such as one whose machine is no more. Sessions that go on by themselves (serve --failover auto) are taken
by the others, at once where they were at work, and those that wait for their node can be taken one by one with ringmaster node take. A node whose
lease runs is not forgotten: end it first. One that comes back all the same keeps the sessions that nobody has taken.`,
		Args:    console.Args(1, 1),
		Example: `  ringmaster node forget 64d7f03884adbb31ec3a968add57e63a`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := target.Connect(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			n, err := client.ForgetNode(cmd.Context(), c, args[0])
			if err == nil {
				con.Say("node " + n.ID + " is gone; its " + strconv.Itoa(n.Sessions) + " sessions can be taken by others")
			}
			return err
		},
	}
}

func newTake(con *console.Console, target *lifecycle.Target) *cobra.Command {
	return &cobra.Command{
		Use:   "take SESSION",
		Short: "Have this daemon go on with a session whose node is gone",
		Long: `Have this daemon go on with a session that no node has, or whose node is gone, together with those that it works for and that work for
it. One that waits for its node is taken where that one was said to be gone for good (ringmaster node forget).`,
		Args:    console.Args(1, 1),
		Example: `  ringmaster node take 7d4c9b0e-1f2a-4c3b-8d5e-6f708192a3b4`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := target.Connect(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			if err := client.TakeOver(cmd.Context(), c.Session(args[0])); err != nil {
				return err
			}
			con.Say("the session is on this node")
			return nil
		},
	}
}

func newLost(con *console.Console, target *lifecycle.Target) *cobra.Command {
	return &cobra.Command{
		Use:   "lost SESSION [NAME]",
		Short: "Show what this node had of a session, and another one went on without",
		Long: `Show the ends of a session's log that this node had, and that never came to Core before another node took the session over: list them,
or print the events of one as JSON lines.`,
		Args: console.Args(1, 2),
		Example: `  ringmaster node lost 7d4c9b0e-1f2a-4c3b-8d5e-6f708192a3b4
  ringmaster node lost 7d4c9b0e-1f2a-4c3b-8d5e-6f708192a3b4 lost.1770000000000`,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := target.Connect(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			if len(args) == 2 {
				lines, err := client.OpenLost(cmd.Context(), c.Session(args[0]), args[1])
				if err != nil {
					return err
				}
				defer lines.Close()
				_, err = io.Copy(con.Out, lines)
				return err
			}
			ends, err := client.ListLost(cmd.Context(), c.Session(args[0]))
			if err != nil {
				return err
			}
			var t console.Table
			t.Add("NAME", "SET ASIDE", "EVENTS", "FROM", "UP TO")
			for _, l := range ends {
				count := func(n uint64) string { return strconv.FormatUint(n, 10) }
				t.Add(l.Name, l.At.Local().Format(time.DateTime), count(l.Events), count(l.First), count(l.Last))
			}
			return t.Print(con.Out)
		},
	}
}
