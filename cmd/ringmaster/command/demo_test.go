package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// TestDemoInThePage: four sessions are there, one of them asks, the link logs in, and Ctrl-C leaves nothing.
func TestDemoInThePage(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	seen := make(chan error, 1)
	r := newBench(t).run([]string{"demo", "--web", "--print"}, &watch{text: "until Ctrl-C", do: func(c chan<- os.Signal) {
		seen <- lookAtDemo(t)
		c <- os.Interrupt
	}})
	r.want(t, exit.OK, "/#login=", "4 sessions of the scripted agent", "ringmaster web --data")
	if err := <-seen; err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}

// lookAtDemo waits until one of four sessions asks for an approval with its change, while the others work.
func lookAtDemo(t *testing.T) error {
	found, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "ringmaster-demo-*", "data"))
	if err != nil || len(found) != 1 {
		return fmt.Errorf("data folders: %v, %w", found, err)
	}
	c, err := client.Find(found[0])
	if err != nil {
		return err
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	all := resource.WaitRequest{Select: &resource.Selector{}, Of: resource.WaitAny, Until: resource.WaitUntil{Request: true}}
	held, err := c.Await(ctx, all)
	if err != nil {
		return err
	}
	if !held.Held || len(held.Sessions) != 1 || held.Sessions[0].State != protocol.StateAwaitingApproval {
		return fmt.Errorf("%+v", held)
	}
	page, err := c.List(ctx, client.Query{})
	if err != nil {
		return err
	}
	working := 0
	for i := range page.Sessions {
		if s := &page.Sessions[i]; s.Status.State.Busy() && s.ID != held.Sessions[0].SessionID {
			working++
		}
	}
	if len(page.Sessions) != 4 || working != 3 {
		return fmt.Errorf("%d sessions, %d at work beside the one that asks", len(page.Sessions), working)
	}
	return nil
}
