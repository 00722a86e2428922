package core

import (
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

// TestMain looks behind all tests whether what all members at rest have in common is as it was.
func TestMain(m *testing.M) {
	leaks.Main(looks{m})
}

type looks struct{ *testing.M }

func (l looks) Run() int {
	code := l.M.Run()
	if !reflect.ValueOf(calm).IsZero() {
		fmt.Fprintf(os.Stderr, "FAIL: calm was changed: %+v\n", calm)
		code = 1
	}
	return code
}
