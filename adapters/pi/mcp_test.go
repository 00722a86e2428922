package pi_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/pi"
)

// starter keeps what it is to start. What it starts ends at once.
type starter struct {
	err    error
	launch adapters.Launch
}

func (s *starter) Start(_ context.Context, l adapters.Launch) (adapters.Conn, error) {
	s.launch = l
	return ended{}, s.err
}

type ended struct{}

func (ended) Output() io.Reader         { return strings.NewReader("") }
func (ended) Input() io.WriteCloser     { return nil }
func (ended) EndOrphans(_, _ time.Time) {}

func (ended) Stop(time.Duration)                {}
func (ended) Wait() adapters.Exit               { return adapters.Exit{Code: 7} }
func (ended) Process() (adapters.Process, bool) { return adapters.Process{}, false }

// Pi gets its server from an extension, which is there as long as Pi.
func TestConnectMCP(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	spec := adapters.Spec{SessionID: "S", Version: "1.5.2", MCP: &adapters.MCPServer{
		Name: "given", URL: "http://127.0.0.1:7433/mcp", Token: "secret", CallTimeout: 90 * time.Second,
	}}
	s := &starter{}
	conn, err := pi.Agent{}.Connect(t.Context(), spec, s)
	if err != nil {
		t.Fatal(err)
	}
	last := len(s.launch.Args) - 1
	if got := s.launch.Args[last-1]; got != "--extension" {
		t.Fatalf("got %q", s.launch.Args)
	}
	file := s.launch.Args[last]
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := `export default (pi) => pi.registerMcpServer("given", {"url":"http://127.0.0.1:7433/mcp",` +
		`"headers":{"Authorization":"Bearer ${RINGMASTER_MCP_TOKEN}"},"exposure":"direct","timeout":90});` + "\n"
	if string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
	if !slices.Contains(s.launch.Env, "RINGMASTER_MCP_TOKEN=secret") {
		t.Errorf("got %q", s.launch.Env)
	}
	if exit := conn.Wait(); exit.Code != 7 {
		t.Errorf("got %+v", exit)
	}
	s.err = errors.New("no such program")
	if _, err := (pi.Agent{}).Connect(t.Context(), spec, s); !errors.Is(err, s.err) {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(os.Getenv("TMPDIR")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	t.Setenv("TMPDIR", file) // no folder
	if _, err := (pi.Agent{}).Connect(t.Context(), spec, s); err == nil || !strings.HasPrefix(err.Error(), "give Pi its MCP server: ") {
		t.Errorf("without a place for the extension: %v", err)
	}
}

// One that is given no server, and one that knows none, get no extension. The latter is told.
func TestConnectWithoutMCP(t *testing.T) {
	server := &adapters.MCPServer{Name: "given", URL: "http://127.0.0.1:7433/mcp", Token: "secret"}
	for _, spec := range []adapters.Spec{{SessionID: "S", Version: "1.5.2"}, {SessionID: "S", Version: "0.73.1", MCP: server}} {
		s := &starter{}
		if _, err := (pi.Agent{}).Connect(t.Context(), spec, s); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(s.launch.Args, "--extension") {
			t.Errorf("got %q", s.launch.Args)
		}
		var out adapters.Output
		pi.Agent{}.Translator(spec).Start(&out)
		told := slices.ContainsFunc(out.Drafts, func(d adapters.Draft) bool {
			n, ok := d.(adapters.Notice)
			return ok && n.Kind == "mcp_unknown"
		})
		if told != (spec.MCP != nil) {
			t.Errorf("version %s: told %t", spec.Version, told)
		}
	}
}

// A server of Pi's own files goes before the session's: the session is not begun with a stranger in its place.
func TestConnectShadowedMCP(t *testing.T) {
	home, cwd := t.TempDir(), t.TempDir()
	user, project := filepath.Join(home, ".pi", "agent", "mcp.json"), filepath.Join(cwd, ".pi", "mcp.json")
	other := filepath.Join(t.TempDir(), "mcp.json")
	for _, c := range []struct {
		file, text string
		env        []string
		refused    bool
	}{
		{user, `{"mcpServers":{"given_one":{"command":"x"}}}`, nil, true},
		{user, `{"mcpServers":{"given-one":{"command":"x"}}}`, nil, true},
		{project, `{"mcpServers":{"a":{},"given_one":{"url":"http://x"}}}`, nil, true},
		{other, "\uFEFF" + `{"mcpServers":{"given_one":{"command":"x"}}}`, []string{"PI_CODING_AGENT_DIR=" + filepath.Dir(other)}, true},
		{user, `{"mcpServers":{"given_one":{"command":"x"}}}`, []string{"PI_CODING_AGENT_DIR=" + filepath.Dir(other)}, false},
		{user, `{"mcpServers":{"given":{},"given_one_":{},"Given_One":{}}}`, nil, false},
		{user, `{"mcpServers":{"given_one":`, nil, false}, // Pi cannot read it either
		{user, `{"mcpServers":["given_one"]}`, nil, false},
	} {
		if err := os.MkdirAll(filepath.Dir(c.file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(c.file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := &starter{}
		conn, err := pi.Agent{}.Connect(t.Context(), adapters.Spec{
			SessionID: "S", Version: "1.5.2", Cwd: cwd, Env: append([]string{"HOME=" + home}, c.env...),
			MCP: &adapters.MCPServer{Name: "given_one", URL: "http://127.0.0.1:7433/mcp", Token: "secret"},
		}, s)
		if refused := err != nil && strings.Contains(err.Error(), c.file); refused != c.refused || refused != (s.launch.Path == "" && s.launch.Args == nil) {
			t.Errorf("%s with %s: %v", c.file, c.text, err)
		}
		if err == nil {
			conn.Wait()
		}
		if err := os.Remove(c.file); err != nil {
			t.Fatal(err)
		}
	}
}
