//go:build !failpoint

package failpoint

import "io"

// On says that this is a build of the kill harness, which also holds what it believes against what it could have read.
const On = false

// Hit ends the process here when the environment says so.
func Hit(string) {}

// Torn ends the process here when the environment says so, after a part of b went to w.
func Torn(string, io.Writer, []byte) {}

// Size is the limit that the environment gives to a name, or the real one.
func Size(_ string, size int64) int64 { return size }
