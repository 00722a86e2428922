package cache

import (
	"os"
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" { // a child of TestKilled, which never comes to an end by itself
		storeUntilKilled(dir)
	}
	leaks.Main(m)
}
