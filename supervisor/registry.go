package supervisor

import cmap "github.com/orcaman/concurrent-map"

// The engine's registry is 1,024 of these maps, each of 32 parts: 3 MB for 32,768 locks, and a map of its own for nearly every
// session. One part each is plenty. It has to be so before the first actor system is made.
func init() { cmap.SHARD_COUNT = 1 }
