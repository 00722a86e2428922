// Package queue takes prompts and their images into the queues of sessions, and serves both.
package queue
