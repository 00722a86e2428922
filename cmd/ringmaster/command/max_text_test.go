package command

import (
	"io"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// The flag reaches the daemon in bytes, and is 100 KiB where nobody gives it.
func TestMaxText(t *testing.T) {
	for _, c := range []struct {
		args []string
		want int // 0: refused
	}{
		{nil, adapters.MaxText},
		{[]string{"--max-text", "1"}, adapters.LeastText},
		{[]string{"--max-text=512"}, adapters.MostText},
		{[]string{"--max-text", "0"}, 0},
		{[]string{"--max-text", "513"}, 0},
		{[]string{"--max-text", "-1"}, 0},
	} {
		cmd := (&Program{}).serve()
		if err := cmd.ParseFlags(append([]string{"--root", t.TempDir()}, c.args...)); err != nil {
			t.Fatal(err)
		}
		var flags serveFlags
		flags.durability, flags.level, flags.listen = "interval", "info", "127.0.0.1:0"
		flags.roots = []string{t.TempDir()}
		n, err := cmd.Flags().GetInt("max-text")
		if err != nil {
			t.Fatal(err)
		}
		flags.maxText = maxText(n)
		cfg, err := (&Program{data: t.TempDir(), Err: io.Discard}).serveConfig(&flags)
		if (err == nil) != (c.want > 0) || cfg.MaxText != c.want {
			t.Errorf("%q: %d, %v", c.args, cfg.MaxText, err)
		}
	}
}
