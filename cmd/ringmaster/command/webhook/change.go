package webhook

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// wanted are the flags that say what a webhook is to be.
type wanted struct {
	url, name           string
	kinds, labels       []string
	agent, owner, under string
	all                 bool
	delay               time.Duration
	asJSON              bool
}

func (w *wanted) addTo(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&w.url, "url", "", "where notices are sent")
	f.StringArrayVar(&w.kinds, "kind", nil, "what is told: request_opened, turn_ended, turn_failed, session_ended or budget; may be repeated")
	f.StringArrayVar(&w.labels, "label", nil, "of sessions with this label, KEY:VALUE; may be repeated")
	f.StringVar(&w.agent, "agent", "", "of sessions of this agent")
	f.StringVar(&w.owner, "owner", "", "of sessions of this owner")
	f.StringVar(&w.under, "under", "", "of sessions that work for this one, by its whole id")
	f.DurationVar(&w.delay, "delay", 0, "hold a request for so long, and drop it where somebody answers it meanwhile; at most 10m")
	f.StringVar(&w.name, "name", "", "for people")
	f.BoolVar(&w.asJSON, "json", false, "the daemon's answer as it is")
	var words []string
	for _, k := range notice.Kinds() {
		words = append(words, string(k))
	}
	console.CompleteWords(cmd, "kind", words...)
}

// selector is what of sessions is meant; nil: nothing was said.
func (w *wanted) selector() (*resource.Selector, error) {
	s := &resource.Selector{Agent: w.agent, Owner: w.owner, Under: w.under}
	for _, l := range w.labels {
		k, v, ok := strings.Cut(l, ":")
		if !ok || k == "" {
			return nil, exit.Usagef("--label %q: want KEY:VALUE", l)
		}
		if s.Labels == nil {
			s.Labels = map[string]string{}
		}
		s.Labels[k] = v
	}
	if len(w.labels) == 0 && w.agent == "" && w.owner == "" && w.under == "" && !w.all {
		return nil, nil
	}
	return s, nil
}

func (w *wanted) kindsOf() (list []resource.WebhookKind) {
	for _, k := range w.kinds {
		list = append(list, resource.WebhookKind(k))
	}
	return list
}

func newCreate(b base) *cobra.Command {
	w := new(wanted)
	cmd := &cobra.Command{
		Use: "create", Short: "Make a webhook and print its secret, this once", Args: console.Args(0, 0),
		Example: `  ringmaster webhook create --url https://hooks.example.org/in --kind request_opened --kind turn_failed --delay 30s
  (umask 077; ringmaster webhook create --url https://hooks.example.org/in --kind budget --label team:web > secret)`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if w.url == "" || len(w.kinds) == 0 {
				return exit.Usagef("want --url and --kind")
			}
			s, err := w.selector()
			if err != nil {
				return err
			}
			var made resource.CreatedWebhook
			return b.ask(cmd, w.asJSON, func(ctx context.Context, to client.Webhooks) (err error) {
				made, err = to.Create(ctx, resource.NewWebhook{URL: w.url, Kinds: w.kindsOf(), Select: s, Name: w.name, DelayMs: w.delay.Milliseconds()})
				return err
			}, func() error {
				b.con.Say("webhook " + made.ID + " made; its secret is shown this once")
				_, err := fmt.Fprintln(b.con.Out, made.Secret)
				return err
			})
		},
	}
	w.addTo(cmd)
	return cmd
}

func newChange(b base) *cobra.Command {
	w, on, off := new(wanted), false, false
	cmd := &cobra.Command{
		Use: "change ID", Short: "Change a webhook; what is not given stays", Args: console.Args(1, 1),
		Example: "  ringmaster webhook change ID --off\n  ringmaster webhook change ID --on\n  ringmaster webhook change ID --kind budget --all",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := w.selector()
			if err != nil {
				return err
			}
			c := resource.WebhookChange{Kinds: w.kindsOf(), Select: s}
			given := cmd.Flags().Changed
			if given("url") {
				c.URL = &w.url
			}
			if given("name") {
				c.Name = &w.name
			}
			if given("delay") {
				c.DelayMs = new(w.delay.Milliseconds())
			}
			if on || off {
				c.Enabled = &on
			}
			var h resource.Webhook
			return b.ask(cmd, w.asJSON, func(ctx context.Context, to client.Webhooks) (err error) {
				h, err = to.Change(ctx, args[0], c)
				return err
			}, func() error { return b.show(&h) })
		},
	}
	w.addTo(cmd)
	f := cmd.Flags()
	f.BoolVar(&w.all, "all", false, "of all sessions within reach")
	f.BoolVar(&on, "on", false, "go on where it was, also after the receiver was gone")
	f.BoolVar(&off, "off", false, "send nothing until it is on again; nothing is lost")
	cmd.MarkFlagsMutuallyExclusive("on", "off")
	return cmd
}

func newSecret(b base) *cobra.Command {
	var overlap time.Duration
	var asJSON bool
	cmd := &cobra.Command{
		Use: "secret ID", Short: "Give a webhook another secret and print it, this once", Args: console.Args(1, 1),
		Example: "  ringmaster webhook secret ID\n  ringmaster webhook secret ID --overlap 0",
		RunE: func(cmd *cobra.Command, args []string) error {
			var made resource.WebhookSecret
			return b.ask(cmd, asJSON, func(ctx context.Context, to client.Webhooks) (err error) {
				made, err = to.Rotate(ctx, args[0], resource.NewWebhookSecret{OverlapMs: new(overlap.Milliseconds())})
				return err
			}, func() error {
				if made.OldUntil != nil {
					b.con.Say("notices are signed with the secret before as well until " + made.OldUntil.Format(time.RFC3339))
				}
				_, err := fmt.Fprintln(b.con.Out, made.Secret)
				return err
			})
		},
	}
	cmd.Flags().DurationVar(&overlap, "overlap", 24*time.Hour, "how long notices are signed with the secret before as well; at most 168h")
	jsonFlag(cmd, &asJSON)
	return cmd
}
