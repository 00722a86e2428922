// Package cluster holds several daemons on one Core against the real thing: processes that are killed and stopped, that drain and come back, networks that are
// cut, silent and slow, a database that is killed and restored from backups, and replicas of it that take over, while sessions work and readers follow them at
// every node. What it asks afterwards is what readers have seen, and what every node serves.
package cluster
