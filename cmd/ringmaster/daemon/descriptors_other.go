//go:build !unix

package daemon

// maxConnections is not bounded where descriptors are not.
func maxConnections() int { return 0 }
