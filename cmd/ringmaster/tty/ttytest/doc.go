// Package ttytest is a terminal for tests: a screen that is read as a person reads it, and a pseudo-terminal with somebody who types at it.
package ttytest
