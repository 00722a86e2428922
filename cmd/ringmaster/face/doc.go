// Package face is a board on a terminal: it has the keys, the clock, the signals and the screen, and gives the terminal back on every way out.
package face
