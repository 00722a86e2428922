//go:build !linux

package disk

import "os"

// datasync uses os.File.Sync, which asks the drive itself to flush on macOS.
func datasync(f *os.File) error { return f.Sync() }
