package core

import "time"

// put sets an entry of a map, which it makes where there is none.
func put[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
}

// set takes a value where there is one.
func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func unixMilli(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
