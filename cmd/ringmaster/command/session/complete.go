package session

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// CompleteAgent completes --agent, for shells.
func CompleteAgent(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("agent", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, a := range daemon.Agents(datafolder.Folder{}, "") {
			names = append(names, a.Name())
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}

type completion = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// completeSession completes the ids of sessions, for shells. A daemon is not started for a key that was pressed.
func completeSession(target *lifecycle.Target) completion {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		list := []string{lastSession}
		if c, err := target.Find(); err == nil {
			defer c.Close()
			if page, err := c.List(cmd.Context(), client.Query{Limit: 100}); err == nil {
				for _, s := range page.Sessions {
					if strings.HasPrefix(s.ID, typed) {
						list = append(list, s.ID+"\t"+console.OneLine(s.Agent+" "+s.Title, 60))
					}
				}
			}
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeRequest completes a session, then its open requests.
func completeRequest(target *lifecycle.Target) completion {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) != 1 {
			return completeSession(target)(cmd, args, typed)
		}
		c, err := target.Find()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer c.Close()
		id, err := resolve(cmd.Context(), c, args[0])
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		d, err := c.Session(id).Show(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var list []string
		for _, r := range d.Requests {
			list = append(list, r.RequestID+"\t"+console.OneLine(r.Title, 60))
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}
