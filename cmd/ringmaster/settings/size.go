package settings

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// Size is the value of a flag that is a number of bytes, such as 500MiB or 20GiB; without a unit: bytes. It is 0 where it is empty.
type Size int64

var units = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"B", 1}}

// String gives it in the largest unit in which it is whole.
func (s *Size) String() string {
	n, unit := int64(*s), ""
	for _, u := range units[:4] {
		if int64(*s) != 0 && int64(*s)%u.bytes == 0 {
			n, unit = int64(*s)/u.bytes, u.name
		}
	}
	return strconv.FormatInt(n, 10) + unit
}

// Set reads it.
func (s *Size) Set(text string) error {
	digits, unit := strings.TrimSpace(text), int64(1)
	for _, u := range units {
		if rest, is := strings.CutSuffix(digits, u.name); is {
			digits, unit = strings.TrimSpace(rest), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return errors.New("want a number of bytes, such as 500MiB or 20GiB; 0: no limit")
	}
	*s = Size(n * unit)
	return nil
}

// Type is for help.
func (*Size) Type() string { return "size" }
