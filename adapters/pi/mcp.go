package pi

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Connect starts Pi. One that is given an MCP server is started with an extension that registers it: Pi takes servers from the
// user's own files and from extensions, and extensions from files. The file has no secret in it, and goes when Pi has ended.
func (a Agent) Connect(ctx context.Context, spec adapters.Spec, processes adapters.Transport) (adapters.Conn, error) {
	launch := a.Launch(spec)
	if spec.MCP == nil || legacy(spec.Version) {
		return processes.Start(ctx, launch)
	}
	if err := shadowed(spec.MCP, &spec); err != nil {
		return nil, fmt.Errorf("give Pi its MCP server: %w", err)
	}
	file, err := writeExtension(spec.MCP)
	if err != nil {
		return nil, fmt.Errorf("give Pi its MCP server: %w", err)
	}
	launch.Args = append(slices.Clip(launch.Args), "--extension", file)
	conn, err := processes.Start(ctx, launch)
	if err != nil {
		_ = os.Remove(file)
		return nil, err
	}
	return &extended{conn, file}, nil
}

// extended is a Pi with an extension of its own.
type extended struct {
	adapters.Conn
	file string
}

// Wait returns how Pi ended, and removes the extension.
func (c *extended) Wait() adapters.Exit {
	exit := c.Conn.Wait()
	_ = os.Remove(c.file) // a file that stays says where a daemon has listened
	return exit
}

func writeExtension(s *adapters.MCPServer) (file string, err error) {
	f, err := os.CreateTemp("", "ringmaster-pi-*.js")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(extension(s))
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// mcpServer is what an extension says of one.
type mcpServer struct {
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Exposure string            `json:"exposure"`
	Timeout  int               `json:"timeout"` // of a call, in seconds; without it, it is 60
}

// extension registers a server for the session. Its tools are told to the model as Pi's own are: without "direct" they could be called
// from scripts only. A first prompt waits for such a server, up to 10 s. Pi fills in the token's variable.
func extension(s *adapters.MCPServer) string {
	config, err := json.Marshal(mcpServer{
		URL: s.URL, Headers: map[string]string{"Authorization": adapters.MCPAuthorization},
		Exposure: "direct", Timeout: int(math.Ceil(s.CallTimeout.Seconds())),
	})
	if err != nil {
		return "" // strings and a number cannot fail
	}
	return fmt.Sprintf("export default (pi) => pi.registerMcpServer(%q, %s);\n", s.Name, config)
}
