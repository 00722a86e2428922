package api

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain sees to it that no handler, stream or server outlives its test. The engine keeps a timer of its own for a second
// after a dead letter.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/asynkron/protoactor-go/actor.NewDeadLetter.NewThrottle.func4.1"))
}
