package api

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

// TestMain sees to it that no handler, stream or server outlives its test. The engine keeps a timer of its own for a second
// after a dead letter.
func TestMain(m *testing.M) {
	leaks.Main(m)
}
