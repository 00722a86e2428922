// Package reading is what all that reads a session's log has in common: where a cursor is in it, its lines, and what is done when it is not as it was written.
package reading
