//go:build !unix

package cache

import (
	"errors"
	"os"
)

// lock has no way to tell, on this system, that a folder is in use.
func lock(string) (*os.File, error) { return nil, errors.ErrUnsupported }
