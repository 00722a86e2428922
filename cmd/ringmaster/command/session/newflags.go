package session

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command/limit"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// newFlags are the flags of commands that make a session.
type newFlags struct {
	agent, cwd, model, title string
	native                   string
	labels                   []string
	endpoint                 endpointFlags
	mcp                      bool
	key                      string
	policy                   policyFlags
	budget                   string
}

func (n *newFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&n.agent, "agent", "a", "", "the agent, as ringmaster agents lists it")
	f.StringVar(&n.cwd, "cwd", "", "where the agent works (default: this folder)")
	f.StringVarP(&n.model, "model", "m", "", "model to start with, in the agent's own words")
	f.StringVar(&n.title, "title", "", "title of the session")
	f.StringArrayVar(&n.labels, "label", nil, "label, as KEY:VALUE; may be repeated")
	f.StringVar(&n.native, "native", "", "go on with this session of the agent's own, as ringmaster native ls lists it; its earlier conversation is in the log")
	f.BoolVar(&n.mcp, "mcp", false, "give the agent the daemon's MCP server: it can make sessions that work for it")
	f.StringVar(&n.key, "key", "", "idempotency key: the same key never makes a second session, nor a second turn in it")
	f.StringVar(&n.budget, "budget", "", "what the session may use, "+limit.Help)
	n.endpoint.add(cmd)
	n.policy.add(cmd, "policy")
	_ = cmd.MarkFlagRequired("agent")
	_ = cmd.MarkFlagDirname("cwd")
	CompleteAgent(cmd)
}

func (n *newFlags) session() (client.New, error) {
	out := client.New{Key: n.key, NewSession: resource.NewSession{
		Agent: n.agent, Model: n.model, Title: n.title, MCP: n.mcp, NativeSessionID: n.native,
	}}
	var err error
	if out.Labels, err = labelsOf(n.labels); err != nil {
		return client.New{}, err
	}
	policy, err := n.policy.policy()
	if err != nil {
		return client.New{}, err
	}
	out.Policy = client.PolicyOf(policy)
	if n.budget != "" {
		if out.Budget, err = limit.Parse(n.budget); err != nil {
			return client.New{}, err
		}
	}
	if out.Endpoint, err = n.endpoint.endpoint(); err != nil {
		return client.New{}, err
	}
	cwd := n.cwd
	if cwd == "" {
		if cwd, err = os.Getwd(); err != nil {
			return client.New{}, fmt.Errorf("this folder: %w", err)
		}
	}
	if out.Cwd, err = filepath.Abs(cwd); err != nil {
		return client.New{}, fmt.Errorf("--cwd: %w", err)
	}
	return out, nil
}
