// Package tty is the terminal that a person sits at: its modes, its keys, its size, and a screen that is drawn line by line. Whoever begins with it
// ends with it, on every way out.
package tty
