package profile

import (
	"context"
	"testing"
	"time"
)

// TestProfileOfTimeEnds: it ends with its caller and with the daemon.
func TestProfileOfTimeEnds(t *testing.T) {
	over, end := context.WithCancel(t.Context())
	end()
	for _, which := range [][2]context.Context{{over, t.Context()}, {t.Context(), over}} {
		if _, err := ofTime(which[0], which[1], time.Hour); err != nil {
			t.Error(err)
		}
	}
}
