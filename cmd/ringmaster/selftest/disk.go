package selftest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// Bounds of one measurement of the disk.
const (
	syncTimes = 400
	syncTime  = 3 * time.Second
	eventSize = 250 // bytes of a typical event's line
)

// syncCost appends an event, and 64 events, and brings them to the disk, again and again: what the durability always waits for.
func syncCost(ctx context.Context, dir string) (one, batch Histogram, err error) {
	if one, err = syncing(ctx, dir, 1); err == nil {
		batch, err = syncing(ctx, dir, 64)
	}
	return one, batch, err
}

func syncing(ctx context.Context, dir string, events int) (h Histogram, err error) {
	f, err := os.CreateTemp(dir, "sync-")
	if err != nil {
		return h, fmt.Errorf("selftest: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	lines := bytes.Repeat(append(bytes.Repeat([]byte{'x'}, eventSize-1), '\n'), events)
	var times []time.Duration
	for began := time.Now(); len(times) < syncTimes && time.Since(began) < syncTime && ctx.Err() == nil; {
		start := time.Now()
		if _, err := f.Write(lines); err != nil {
			return h, fmt.Errorf("selftest: %w", err)
		}
		if err := f.Sync(); err != nil {
			return h, fmt.Errorf("selftest: %w", err)
		}
		times = append(times, time.Since(start))
	}
	return histogram(times), context.Cause(ctx)
}
