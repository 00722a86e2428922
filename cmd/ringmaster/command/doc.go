// Package command is the command line: one file per command. A command parses its flags, asks the daemon through package
// client, and shows the answer; what it prints of agents and users is made harmless first (package terminal).
package command
