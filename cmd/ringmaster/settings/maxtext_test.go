package settings

import (
	"io"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
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
		flags := NewFlags()
		if err := flags.set.Parse(append([]string{"--root", t.TempDir()}, c.args...)); err != nil {
			t.Fatal(err)
		}
		s, err := Complete(flags, File{})
		if err != nil {
			t.Fatal(err)
		}
		cfg, err := s.Config(&console.Console{Err: io.Discard}, datafolder.Folder{Path: t.TempDir()})
		if (err == nil) != (c.want > 0) || cfg.MaxText != c.want {
			t.Errorf("%q: %d, %v", c.args, cfg.MaxText, err)
		}
	}
}
