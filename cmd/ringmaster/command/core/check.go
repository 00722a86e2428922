package core

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// check is the command core check.
type check struct {
	con *console.Console
	place
	asJSON bool
}

func newCheck(con *console.Console, target *lifecycle.Target) *cobra.Command {
	c := &check{con: con, place: place{target: target}}
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Ask the database and the object store whether they do what Core needs",
		Long: `Ask the database for its version, its tables and the user's rights, and the object store what Core needs of one: that an object is put only
where none is, also where many put at once, that parts and lists are right, and that somebody with a wrong secret is refused. For that a few small objects are
put below check/, and deleted. The exit code is 1 where something is not right.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster core check --core postgres://ringmaster@localhost/ringmaster
  ringmaster core check --objects s3://bucket/logs?endpoint=https://s3.example.org --json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.run(cmd.Context()) },
	}
	c.addTo(cmd)
	cmd.Flags().BoolVar(&c.asJSON, "json", false, "one JSON object for each answer")
	return cmd
}

// answer is what is told of one question.
type answer struct {
	Of       string `json:"of"` // database, objects
	Question string `json:"question"`
	Right    bool   `json:"right"`
	Detail   string `json:"detail"`
	Hint     string `json:"hint,omitempty"`
}

func (c *check) run(ctx context.Context) error {
	at, err := c.core()
	if err != nil {
		return err
	}
	answers := database(ctx, at)
	if !at.IsServed() {
		answers = append(answers, bucket(ctx, at.Objects)...)
	}
	isRight := true
	for i := range answers {
		isRight = isRight && answers[i].Right
	}
	if err := c.print(answers); err != nil {
		return err
	}
	if !isRight {
		return &exit.Error{Code: exit.Failed}
	}
	return nil
}

func (c *check) print(answers []answer) error {
	if c.asJSON {
		out := json.NewEncoder(c.con.Out)
		for i := range answers {
			if err := out.Encode(&answers[i]); err != nil {
				return err
			}
		}
		return nil
	}
	var t console.Table
	for i := range answers {
		a := &answers[i]
		state := "right"
		if !a.Right {
			state = "WRONG"
		}
		t.Wide(state, a.Of, a.Question, a.Detail)
	}
	if err := t.Print(c.con.Out); err != nil {
		return err
	}
	for i := range answers {
		if a := &answers[i]; a.Hint != "" {
			c.con.Say(a.Of + ", " + a.Question + ": " + a.Hint)
		}
	}
	return nil
}

// wrong is the answer to a question that has failed.
func wrong(of, question string, err error) answer {
	err = told(err)
	return answer{Of: of, Question: question, Detail: err.Error(), Hint: exit.Hint(err)}
}

func database(ctx context.Context, at daemon.Core) []answer {
	const of = "database"
	if at.IsServed() {
		return served(ctx, at)
	}
	server, err := postgres.Ask(ctx, at.URL, postgres.Options{Password: at.Password})
	if err != nil {
		return []answer{wrong(of, "answers", err)}
	}
	list := []answer{{Of: of, Question: "answers", Right: true, Detail: "it is PostgreSQL " + server.Version}}
	c, err := at.Open(ctx)
	if err != nil {
		return append(list, wrong(of, "tables and rights", err))
	}
	c.Close()
	list = append(list, answer{
		Of: of, Question: "tables and rights", Right: true,
		Detail: fmt.Sprintf("schema version %d, which this build works with, and all rights", postgres.Version),
	})
	durable := answer{Of: of, Question: "durability", Right: true, Detail: "what is committed survives a loss of power"}
	if !server.Syncs {
		durable.Right, durable.Detail = false, "fsync, full_page_writes or synchronous_commit is off: what is committed may be lost with the server"
		durable.Hint = "switch them on in postgresql.conf, and for the user; a node sends again what its own journal still has, and nothing else"
	}
	return append(list, durable)
}

// served asks a server whether it takes this node; the rest is asked where it runs.
func served(ctx context.Context, at daemon.Core) []answer {
	const of = "server"
	c, err := at.Open(ctx)
	if err != nil {
		return []answer{wrong(of, "takes this node", err)}
	}
	c.Close()
	return []answer{{
		Of: of, Question: "takes this node", Right: true,
		Detail: "Core answers there; what it is made of, `ringmaster core check` tells where it runs",
	}}
}

func bucket(ctx context.Context, at daemon.Objects) []answer {
	const of = "objects"
	if !at.IsSet() {
		return []answer{{Of: of, Question: "is there", Right: true, Detail: "no: all events stay in the database (--objects names a store)"}}
	}
	s, err := at.Open()
	if err != nil {
		return []answer{wrong(of, "opens", err)}
	}
	defer s.Close()
	found, err := objects.Check(ctx, s)
	var list []answer
	for _, f := range found {
		list = append(list, answer{of, string(f.Question), f.Right, f.Detail, f.Hint})
	}
	if err != nil {
		list = append(list, wrong(of, "goes on", err))
	}
	return list
}
