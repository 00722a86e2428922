package folder

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Aside names a session's folder that was set aside: why, and when, to the millisecond.
type Aside struct {
	Why Why
	At  time.Time
}

// Why is why a session's folder was set aside.
type Why string

// The reasons.
const (
	Lost  Why = "lost"  // another node has the session: this log may have events that its has not
	Moved Why = "moved" // the session was given away with all that its log had
)

func (a Aside) String() string { return string(a.Why) + "." + strconv.FormatInt(a.At.UnixMilli(), 10) }

// ParseAside reads a name; false: it is none that String gives.
func ParseAside(name string) (Aside, bool) {
	why, at, _ := strings.Cut(name, ".")
	ms, err := strconv.ParseInt(at, 10, 64)
	a := Aside{Why(why), time.UnixMilli(ms)}
	return a, err == nil && a.String() == name
}

// SortAsides has names be in the order of their moments, whatever their reasons; those that cannot be read come behind the others.
func SortAsides(names []string) {
	slices.SortFunc(names, func(a, b string) int {
		one, isOne := ParseAside(a)
		two, isTwo := ParseAside(b)
		switch {
		case isOne && isTwo:
			return cmp.Or(one.At.Compare(two.At), cmp.Compare(a, b))
		case isOne:
			return -1
		case isTwo:
			return 1
		}
		return cmp.Compare(a, b)
	})
}
