package command

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
)

// Every command says in one line what it does, and shows how; every flag is explained.
func TestHelp(t *testing.T) {
	seen := 0
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			check(sub)
		}
		if c.Hidden || c.Name() == "help" || c.Name() == "completion" {
			return
		}
		seen++
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: short help %q", c.Name(), c.Short)
		}
		if !strings.Contains(c.Example, c.CommandPath()) {
			t.Errorf("%s: no example of it", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s: flag %s is not explained", c.Name(), f.Name)
			}
		})
	}
	check(newRoot(&console.Console{}))
	if seen < 19 {
		t.Errorf("only %d commands", seen)
	}
}
