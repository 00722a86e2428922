// Package raw serves the native lines of sessions' archives.
package raw
