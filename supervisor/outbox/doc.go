// Package outbox joins a daemon's sessions with Core: it hands the shipper (package shipper) their logs and what is told of them, finds what an earlier daemon
// has left unsent, and remembers which sessions Core is still to remove.
//
// Such a session has a file of its own in the folder "unsent": an empty one, named by its id, which goes once Core has removed the session. It is written
// before the session's folder goes, so that neither a daemon that ends nor a Core that is away leaves there what a client has deleted. What Core has of
// sessions that this data folder does not have, and that nobody has deleted, stays: the folder may have come out of a backup.
package outbox
