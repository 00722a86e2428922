package merged

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestGather: what comes close behind a write waits until the next one may be, and what comes after a pause does not wait. A stream that is over does not
// wait either.
func TestGather(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		waited := func(ctx context.Context, since time.Duration) time.Duration {
			timer := time.NewTimer(time.Hour)
			defer timer.Stop()
			s := stream{flushed: time.Now().Add(-since)}
			s.Config, s.out, s.line, s.beat = &Config{Heartbeat: time.Hour}, &output{}, newLine(), time.Now()
			s.line.bells.New().Ring()
			begun := time.Now()
			s.wait(ctx, timer)
			if over := ctx.Err() != nil; over != (s.out.bad != nil) {
				t.Errorf("over is %t, and the stream has %v", over, s.out.bad)
			}
			return time.Since(begun)
		}
		over, cancel := context.WithCancel(t.Context())
		cancel()
		for _, row := range []struct {
			ctx         context.Context
			since, want time.Duration
		}{
			{t.Context(), 0, flushEvery},
			{t.Context(), flushEvery / 4, flushEvery * 3 / 4},
			{t.Context(), flushEvery, 0},
			{t.Context(), time.Minute, 0},
			{over, 0, 0},
		} {
			if got := waited(row.ctx, row.since); got != row.want {
				t.Errorf("%s after a write: waited %s, want %s", row.since, got, row.want)
			}
		}
	})
}
