package pi_test

import (
	"os"
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) {
	_ = os.Setenv("NODE_DISABLE_COMPILE_CACHE", "1") // Pi's own, which the real one keeps among the temporary files, and would be taken for a leak
	leaks.Main(m)
}
