// Package session has the commands that work on sessions: a type for each, with its flags and what it does. A command finds the daemon and the
// session that a person means, asks through package client, and shows the answer; what it prints of agents and users is made harmless first.
package session
