package selftest

import (
	"cmp"
	"slices"
	"time"
)

// Histogram is a distribution of times, in milliseconds.
type Histogram struct {
	Count   int      `json:"count"`
	P50     float64  `json:"p50"`
	P99     float64  `json:"p99"`
	Max     float64  `json:"max"`
	Buckets []Bucket `json:"buckets,omitempty"`
}

// Bucket counts the times up to a bound that are above the bound before.
type Bucket struct {
	UpTo  float64 `json:"upTo"` // ms; 0: beyond all bounds
	Count int     `json:"count"`
}

// bounds of the buckets, in milliseconds.
var bounds = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}

// histogram sums times up.
func histogram(times []time.Duration) Histogram {
	if len(times) == 0 {
		return Histogram{}
	}
	times = slices.Clone(times)
	slices.SortFunc(times, cmp.Compare)
	at := func(part float64) float64 { return ms(times[min(len(times)-1, int(part*float64(len(times))))]) }
	h := Histogram{Count: len(times), P50: at(0.5), P99: at(0.99), Max: ms(times[len(times)-1])}
	counts := make([]int, len(bounds)+1)
	for _, t := range times {
		i, _ := slices.BinarySearch(bounds, ms(t))
		counts[i]++
	}
	for i, n := range counts {
		if n == 0 {
			continue
		}
		b := Bucket{Count: n}
		if i < len(bounds) {
			b.UpTo = bounds[i]
		}
		h.Buckets = append(h.Buckets, b)
	}
	return h
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
