package pgtest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Turning gives what sets the clock ahead, as far as nodes can tell: all that was written by it is longer ago then.
func Turning(t testing.TB, url string) func(by time.Duration) {
	t.Helper()
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	var mu sync.Mutex
	return func(by time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		for _, change := range []string{
			"UPDATE node SET expires = expires - $1::interval, steady = steady - $1::interval",
			"UPDATE session_log SET flushed = flushed - $1::interval",
			"UPDATE session_object SET at = at - $1::interval",
		} {
			err := errors.New("not yet")
			for n := 0; n < 5 && err != nil; n++ { // it locks all rows, in any order: others that lock several may stand in a circle with it
				_, err = conn.Exec(t.Context(), change, by)
			}
			if err != nil {
				t.Error(err)
			}
		}
	}
}
