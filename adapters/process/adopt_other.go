//go:build unix && !linux

package process

import "time"

// EndOrphans does nothing: orphans are not known here.
func (*Conn) EndOrphans(_, _ time.Time) {}

const canAdopt = false

// adopt does nothing: orphans go to the system's first process here.
func (h *household) adopt() (stop func()) { return nil }
