package session

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Native makes the command native, and what is below it.
func Native(con *console.Console, target *lifecycle.Target) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "native",
		Short: "Sessions that agents have of their own, begun without the daemon",
		Example: `  ringmaster native ls
  ringmaster new --agent claude --native 3ca2d9c7-fe8c-42ac-86bc-3adcd9de131c`,
		Args: console.Args(0, 0),
		RunE: console.ShowHelp,
	}
	cmd.AddCommand(newNativeList(con, target))
	return cmd
}

// nativeList is the command native ls.
type nativeList struct {
	con    *console.Console
	target *lifecycle.Target
	agent  string
	asJSON bool
}

func newNativeList(con *console.Console, target *lifecycle.Target) *cobra.Command {
	n := &nativeList{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "ls [FOLDER]",
		Short: "List what agents have of their own in a folder, newest first",
		Long: `List the sessions that agents have of their own in a folder (default: this one), newest first, read from the agents' own files: of
Claude Code, Codex, Pi and Droid. OpenCode's are listed with --agent opencode, which runs it and takes seconds.
` + "`ringmaster new --agent AGENT --native ID`" + ` goes on with one, with its earlier conversation in the log. End
it in its own program first: two programs that work on one session spoil it.`,
		Args: console.Args(0, 1),
		Example: `  ringmaster native ls
  ringmaster native ls --agent claude ~/src/project`,
		RunE: n.run,
	}
	cmd.Flags().StringVarP(&n.agent, "agent", "a", "", "only sessions of this agent")
	cmd.Flags().BoolVar(&n.asJSON, "json", false, "the daemon's answer as it is")
	CompleteAgent(cmd)
	return cmd
}

func (n *nativeList) run(cmd *cobra.Command, args []string) error {
	folder, err := os.Getwd()
	if len(args) > 0 {
		folder, err = filepath.Abs(args[0])
	}
	if err != nil {
		return fmt.Errorf("the folder: %w", err)
	}
	c, err := n.target.ConnectAt(cmd.Context(), folder, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	var raw json.RawMessage
	sessions, err := c.NativeSessions(client.WithRaw(cmd.Context(), &raw), n.agent, folder)
	if err != nil {
		return err
	}
	if n.asJSON {
		return console.PrintJSON(n.con.Out, raw)
	}
	if len(sessions) == 0 {
		n.con.Say("no agent has a session of its own in " + folder)
		return nil
	}
	return n.print(sessions)
}

// print shows sessions of agents' own, and how to go on with the newest that no session of the daemon works with.
func (n *nativeList) print(sessions []resource.NativeSession) error {
	var t console.Table
	t.Add("NATIVE ID", "AGENT", "AGE", "SESSION", "TITLE")
	for _, s := range sessions {
		t.Add(s.ID, s.Agent, console.Ago(n.con.Now(), s.Updated), console.ShortID(s.SessionID), s.Title)
	}
	if err := t.Print(n.con.Out); err != nil {
		return err
	}
	for _, s := range sessions {
		if s.SessionID == "" {
			n.con.Say("go on with the newest: ringmaster run --agent " + s.Agent + " --cwd " + word(s.Cwd) + " --native " + s.ID + ` "…"`)
			return nil
		}
	}
	n.con.Say("each has a session here; go on with the newest: ringmaster send " + console.ShortID(sessions[0].SessionID) + ` "…"`)
	return nil
}

// word writes a word as shells read it.
func word(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,=~", r)
	}
	if text != "" && text[0] != '~' && !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// keepNativeTitle gives a session that goes on with one of the agent's own the title that it has there. Without one it is called by its first
// prompt, as all are; a request with a key stays as it was.
func keepNativeTitle(ctx context.Context, c *client.Client, n *client.New) {
	if n.NativeSessionID == "" || n.Title != "" || n.Key != "" {
		return
	}
	sessions, err := c.NativeSessions(ctx, "", n.Cwd) // not of an agent that has to be run to be asked
	if err != nil {
		return // the daemon says what is wrong when the session is made
	}
	for _, s := range sessions {
		if s.Agent == n.Agent && s.ID == n.NativeSessionID {
			n.Title = s.Title
		}
	}
}
