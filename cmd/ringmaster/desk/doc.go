// Package desk is what a face of the terminal is told of a daemon's sessions (News), and what it wants done (Wish). Both are values: faces decide without a
// connection, and package link carries out.
package desk
