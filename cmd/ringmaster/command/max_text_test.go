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
		var flags serveFlags
		set := flags.set()
		if err := set.Parse(append([]string{"--root", t.TempDir()}, c.args...)); err != nil {
			t.Fatal(err)
		}
		p := &Program{data: t.TempDir(), Err: io.Discard}
		s, err := p.settingsOf(&flags, set)
		if err != nil {
			t.Fatal(err)
		}
		cfg, err := p.serveConfig(s)
		if (err == nil) != (c.want > 0) || cfg.MaxText != c.want {
			t.Errorf("%q: %d, %v", c.args, cfg.MaxText, err)
		}
	}
}
