// Package clock is a machine's clock that somebody sets again and again: for tests of what has to happen after some time, or
// to keep its order, however the clock jumps.
package clock
