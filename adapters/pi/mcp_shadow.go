package pi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// dirEnv is Pi's folder of configuration, where it is not .pi/agent in the user's home.
const dirEnv = "PI_CODING_AGENT_DIR"

// maxConfig is how much of a file of Pi's configuration is read, in bytes.
const maxConfig = 4 << 20

// shadowed says which of Pi's own files names a server that would take the place of the session's: those of files go before those of
// extensions, and "-" and "_" are the same in their names. A file that cannot be read names none, for Pi as well.
func shadowed(s *adapters.MCPServer, spec *adapters.Spec) error {
	home := cmp.Or(adapters.Variable(spec.Env, dirEnv), filepath.Join(adapters.Variable(spec.Env, "HOME"), ".pi", "agent"))
	for _, dir := range []string{home, filepath.Join(spec.Cwd, ".pi")} {
		file := filepath.Join(dir, "mcp.json")
		for name := range serversOf(file) {
			if strings.ReplaceAll(name, "-", "_") == strings.ReplaceAll(s.Name, "-", "_") {
				return fmt.Errorf("the MCP server %q of %s has the name of the daemon's: give it another one", name, file)
			}
		}
	}
	return nil
}

func serversOf(file string) map[string]json.RawMessage {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() { // to open a pipe would wait for its other end
		return nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig))
	if err != nil {
		return nil
	}
	var config map[string]json.RawMessage
	var servers map[string]json.RawMessage
	if json.Unmarshal(bytes.TrimPrefix(text, []byte("\uFEFF")), &config) != nil || json.Unmarshal(config["mcpServers"], &servers) != nil {
		return nil
	}
	return servers
}
