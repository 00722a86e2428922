package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// TestPrecedence: of every setting that there is, the file's value goes before the default, the environment's before the file's, and the flag's
// before all. A setting that is added fails here until it has three values of its own.
func TestPrecedence(t *testing.T) {
	values := map[string][3]string{ // of the file, the environment and the flag, as flags are written
		"listen": {"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"}, "socket": {"/1", "/2", "/3"}, "root": {"/1", "/2", "/3"},
		"durability": {"always", "os", "interval"}, "stall-after": {"1m0s", "2m0s", "3m0s"}, "raw-limit": {"1", "2", "3"}, "max-text": {"1", "2", "3"},
		"session-rate": {"1", "2", "3"}, "max-streams": {"16", "17", "18"}, "max-in-flight": {"64", "65", "66"},
		"log-level": {"debug", "warn", "error"}, "allow-remote": {"true", "false", "true"}, "dangerously-without-tls": {"true", "false", "true"},
		"mcp-compat": {"true", "false", "true"}, "tls-cert": {"/1", "/2", "/3"}, "tls-key": {"/1", "/2", "/3"}, "prices": {"/1", "/2", "/3"}, "attach-host": {"a", "b", "c"},
		"webhook-allow": {"https://a", "https://b", "https://c"},
		"allow-host":    {"a", "b", "c"}, "allow-origin": {"http://a", "http://b", "http://c"}, "idle-exit": {"1m0s", "2m0s", "3m0s"},
		"keep-for": {"1h0m0s", "2h0m0s", "3h0m0s"}, "keep-bytes": {"1GiB", "2GiB", "3GiB"}, "keep-free": {"4MiB", "5MiB", "6MiB"},
		"log-limit": {"8MiB", "9MiB", "10MiB"},
		"core":      {"postgres://localhost/a", "postgres://localhost/b", "postgres://localhost/c"}, "core-password-file": {"/1", "/2", "/3"},
		"core-token-file": {"/1", "/2", "/3"}, "core-ca-file": {"/1", "/2", "/3"},
		"objects": {"/1", "/2", "s3://bucket"}, "objects-keys-file": {"/1", "/2", "/3"},
		"workspace": {"a=/1", "b=/2", "c=/3"}, "failover": {"stay", "auto", "stay"}, "node-lease": {"5s", "6s", "7s"}, "raw-objects": {"false", "true", "false"},
		"peer-listen": {"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"}, "peer-address": {"a:1", "b:1", "c:1"},
	}
	of := func(f *pflag.Flag) string {
		if list, ok := f.Value.(pflag.SliceValue); ok {
			return fmt.Sprint(list.GetSlice())
		}
		return f.Value.String()
	}
	listed := func(f *pflag.Flag, value string) string {
		if _, ok := f.Value.(pflag.SliceValue); ok {
			return "[" + value + "]"
		}
		return value
	}
	NewFlags().set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		t.Run(f.Name, func(t *testing.T) {
			v, ok := values[f.Name]
			if !ok {
				t.Fatal("no values")
			}
			path := filepath.Join(t.TempDir(), "config.toml")
			check := func(want, from string, args ...string) {
				t.Helper()
				flags := NewFlags()
				if err := flags.set.Parse(args); err != nil {
					t.Fatal(err)
				}
				file, err := Read(path, true)
				if err != nil {
					t.Fatal(err)
				}
				s, err := Complete(flags, file)
				if err != nil {
					t.Fatal(err)
				}
				if got := of(flags.set.Lookup(f.Name)); got != want || s.from[f.Name] != from {
					t.Errorf("%s from %s, want %s from %s", got, s.from[f.Name], want, from)
				}
			}
			write := func(text string) {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write("")
			check(of(f), FromDefault)
			text := fmt.Sprintf("%q", v[0])
			if kind := f.Value.Type(); kind == "bool" || kind == "int" || kind == "int64" {
				text = v[0]
			}
			write(f.Name + " = " + listed(f, text) + "\n")
			check(listed(f, v[0]), path)
			t.Setenv(EnvName(f.Name), v[1])
			check(listed(f, v[1]), "$"+EnvName(f.Name))
			check(listed(f, v[2]), FromFlag, "--"+f.Name+"="+v[2])
		})
	})
}
