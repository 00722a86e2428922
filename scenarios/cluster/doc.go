// Package cluster holds several daemons on one Core against the real thing: processes that are killed and stopped, that drain and come back, networks that are
// cut, silent and slow, and a database that is killed and restored from backups, while sessions work and readers follow them at every node. What it asks
// afterwards is what readers have seen, and what every node serves.
package cluster
