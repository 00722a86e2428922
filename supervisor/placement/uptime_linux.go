package placement

import (
	"os"
	"strings"
	"time"
)

// uptime is how long the machine has been up, and asleep in between, to a hundredth of a second. Differences of time.Now do not count the sleep.
func uptime() time.Duration {
	text, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return 0
	}
	up, _, _ := strings.Cut(string(text), " ")
	d, err := time.ParseDuration(up + "s")
	if err != nil {
		return 0
	}
	return d
}
