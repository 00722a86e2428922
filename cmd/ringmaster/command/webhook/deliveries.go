package webhook

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func newDeliveries(b base) *cobra.Command {
	var state string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "deliveries ID", Short: "List deliveries that are pending, delivered or dead", Args: console.Args(1, 1),
		Example: "  ringmaster webhook deliveries ID\n  ringmaster webhook deliveries ID --state dead",
		RunE: func(cmd *cobra.Command, args []string) error {
			var list []resource.WebhookDelivery
			return b.ask(cmd, asJSON, func(ctx context.Context, to client.Webhooks) (err error) {
				list, err = to.Deliveries(ctx, args[0], state)
				return err
			}, func() error {
				var rows console.Table
				rows.Wide("KIND", "TRIES", "LAST", "NEXT", "ANSWER", "ID")
				for i := range list {
					d := &list[i]
					rows.Wide(d.Kind, strconv.Itoa(d.Tries), timeOf(d.LastAt), timeOf(d.NextAt), answerOf(d.LastStatus, d.LastError), d.ID)
				}
				return rows.Print(b.con.Out)
			})
		},
	}
	cmd.Flags().StringVar(&state, "state", "pending", "pending, delivered (since the daemon's start) or dead")
	console.CompleteWords(cmd, "state", "pending", "delivered", "dead")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func timeOf(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.Format(time.RFC3339)
}

// answerOf is what a receiver has answered, or why there was no answer.
func answerOf(status int, word string) string {
	switch {
	case status > 0:
		return strconv.Itoa(status)
	case word != "":
		return word
	}
	return "-"
}

func newSend(b base) *cobra.Command {
	var dead bool
	cmd := &cobra.Command{
		Use: "send ID [DELIVERY]", Short: "Try a delivery at once, or send dead ones again", Args: console.Args(1, 2),
		Example: "  ringmaster webhook send ID DELIVERY\n  ringmaster webhook send ID --dead",
		RunE: func(cmd *cobra.Command, args []string) error {
			if dead == (len(args) == 2) {
				return exit.Usagef("want a delivery, or --dead for all that are dead")
			}
			n := 1
			return b.ask(cmd, false, func(ctx context.Context, to client.Webhooks) (err error) {
				if dead {
					n, err = to.SendDead(ctx, args[0])
					return err
				}
				return to.Send(ctx, args[0], args[1])
			}, func() error {
				_, err := fmt.Fprintln(b.con.Out, n, "sent again")
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&dead, "dead", false, "all that are dead")
	return cmd
}

func newTest(b base) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "test ID", Short: "Send a test notice once, and say what came of it", Args: console.Args(1, 1), Example: "  ringmaster webhook test ID",
		RunE: func(cmd *cobra.Command, args []string) error {
			var o resource.WebhookTest
			err := b.ask(cmd, asJSON, func(ctx context.Context, to client.Webhooks) (err error) {
				o, err = to.Test(ctx, args[0])
				return err
			}, func() error {
				if !o.Delivered {
					return nil
				}
				_, err := fmt.Fprintf(b.con.Out, "delivered: %d after %d ms\n", o.Status, o.TookMs)
				return err
			})
			if err == nil && !o.Delivered {
				err = fmt.Errorf("not delivered: %s", answerOf(o.Status, o.Error))
			}
			return err
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}
