package session

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// TestEndpointPassword is read from its file.
func TestEndpointPassword(t *testing.T) {
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte("s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := endpointFlags{url: "ws://localhost:1", user: "ann", passwordFile: file}
	if got, err := flags.endpoint(); err != nil || *got != (resource.NewEndpoint{URL: "ws://localhost:1", Username: "ann", Password: "s3cret"}) {
		t.Errorf("%+v, %v", got, err)
	}
	flags.passwordFile += ".none"
	if _, err := flags.endpoint(); err == nil {
		t.Error("a file that is not there")
	}
}
