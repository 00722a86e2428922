package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// base is what the commands have in common.
type base struct {
	con    *console.Console
	target *lifecycle.Target
}

// Command makes the command webhook, and what is below it.
func Command(con *console.Console, target *lifecycle.Target) *cobra.Command {
	b := base{con, target}
	cmd := &cobra.Command{
		Use:   "webhook",
		Short: "Have programs told of what happens in sessions, at a URL",
		Long: `The daemon sends a signed notice to a URL when something happens in sessions: at least once, in the order of each session, and again for
three days where the receiver does not take it. The daemon's operator says with --webhook-allow where notices may go.

  request_opened   an agent waits for an answer
  turn_ended       a turn was completed, or stopped on purpose
  turn_failed      a turn ended in an error, or its agent was lost
  session_ended    a session has ended, or was deleted
  budget           a limit of a budget is near or reached, or neither any more`,
		Args: console.Args(0, 0),
		Example: `  ringmaster webhook create --url https://hooks.example.org/in --kind request_opened --delay 30s
  ringmaster webhook deliveries ID --state dead
  ringmaster webhook send ID --dead`,
		RunE: func(*cobra.Command, []string) error {
			return exit.Usagef("want create, list, show, change, delete, secret, test, deliveries or send")
		},
	}
	cmd.AddCommand(newCreate(b), newList(b), newShow(b), newChange(b), newDelete(b), newSecret(b), newTest(b), newDeliveries(b), newSend(b))
	return cmd
}

// ask asks the daemon, and prints the answer as it came or as say does.
func (b base) ask(cmd *cobra.Command, asJSON bool, do func(context.Context, client.Webhooks) error, say func() error) error {
	c, err := b.target.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	var raw json.RawMessage
	if err := do(client.WithRaw(cmd.Context(), &raw), c.Webhooks()); err != nil {
		return err
	}
	if asJSON {
		return console.PrintJSON(b.con.Out, raw)
	}
	return say()
}

func jsonFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "json", false, "the daemon's answer as it is")
}

func newList(b base) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List webhooks; never their secrets", Args: console.Args(0, 0), Example: "  ringmaster webhook list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var list []resource.Webhook
			return b.ask(cmd, asJSON, func(ctx context.Context, w client.Webhooks) (err error) {
				list, err = w.List(ctx)
				return err
			}, func() error {
				var rows console.Table
				rows.Add("ID", "STATE", "PENDING", "DEAD", "OWNER", "NAME", "URL")
				for i := range list {
					h := &list[i]
					rows.Add(h.ID, stateOf(h), strconv.Itoa(h.Pending), strconv.Itoa(h.Dead), h.Owner, orDash(h.Name), h.URL)
				}
				return rows.Print(b.con.Out)
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func stateOf(h *resource.Webhook) string {
	switch {
	case h.Disabled != "":
		return "disabled: " + h.Disabled
	case !h.Enabled:
		return "off"
	}
	return "on"
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// show prints a webhook.
func (b base) show(h *resource.Webhook) error {
	var rows console.Table
	rows.Add("id", h.ID)
	rows.Add("state", stateOf(h))
	rows.Add("url", h.URL)
	rows.Add("kinds", words(h.Kinds))
	if h.Name != "" {
		rows.Add("name", h.Name)
	}
	if h.Select != nil {
		text, err := json.Marshal(h.Select)
		if err != nil {
			return err
		}
		rows.Add("select", string(text))
	}
	if h.DelayMs > 0 {
		rows.Add("delay", fmt.Sprint(h.DelayMs, " ms"))
	}
	rows.Add("owner", h.Owner)
	rows.Add("made", console.Ago(b.con.Now(), h.CreatedAt)+" ago")
	rows.Add("deliveries", fmt.Sprintf("%d pending, %d dead, %d dead dropped, %d delivered", h.Pending, h.Dead, h.DroppedDead, h.Delivered))
	return rows.Print(b.con.Out)
}

func words(kinds []resource.WebhookKind) (text string) {
	for i, k := range kinds {
		if i > 0 {
			text += ", "
		}
		text += string(k)
	}
	return text
}

func newShow(b base) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show ID", Short: "Show a webhook; never its secret", Args: console.Args(1, 1), Example: "  ringmaster webhook show ID",
		RunE: func(cmd *cobra.Command, args []string) error {
			var h resource.Webhook
			return b.ask(cmd, asJSON, func(ctx context.Context, w client.Webhooks) (err error) {
				h, err = w.Show(ctx, args[0])
				return err
			}, func() error { return b.show(&h) })
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func newDelete(b base) *cobra.Command {
	return &cobra.Command{
		Use: "delete ID", Short: "Delete a webhook, with all that is known of its deliveries", Args: console.Args(1, 1),
		Example: "  ringmaster webhook delete ID",
		RunE: func(cmd *cobra.Command, args []string) error {
			return b.ask(cmd, false, func(ctx context.Context, w client.Webhooks) error { return w.Delete(ctx, args[0]) }, func() error {
				_, err := fmt.Fprintln(b.con.Out, console.OneLine(args[0], 0)+" deleted")
				return err
			})
		},
	}
}
