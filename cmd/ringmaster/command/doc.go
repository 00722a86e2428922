// Package command is the command line: its root, the table of all commands, and those that have to do with the daemon. A command is a type with its
// flags and what it does; those of sessions are in package session, and the doctor and the demo have packages of their own.
package command
