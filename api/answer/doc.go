// Package answer writes answers: with a deadline before each write, until the caller's token is void, and counted. It tells errors of the client's side, which
// nobody needs to hear of, from those of the daemon's.
package answer
