// Package cored holds daemons with a Core against the real thing: processes that are killed, a PostgreSQL server that is killed, and logs that lose their ends.
// What it asks afterwards is what the disk and the database have.
package cored
