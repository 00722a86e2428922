// Package compress chooses the encoding in which a body is sent, and keeps encoders for re-use. It bounds how many of them, and of other work that is as hard,
// are at work at once.
package compress
