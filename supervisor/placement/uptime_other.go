//go:build !linux

package placement

import "time"

// uptime is not known here: a machine's sleep is noticed with the next beat.
func uptime() time.Duration { return 0 }
