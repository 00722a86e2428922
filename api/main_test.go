package api

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain sees to it that no handler, stream or server outlives its test.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}
