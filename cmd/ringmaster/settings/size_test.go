package settings

import "testing"

// TestSize: a size reads as it is written, and what is none is refused.
func TestSize(t *testing.T) {
	for text, want := range map[string]struct {
		bytes   int64
		written string
	}{
		"0": {0, "0"}, "1000": {1000, "1000"}, "20GiB": {20 << 30, "20GiB"}, "1536MiB": {1536 << 20, "1536MiB"}, "2048 MiB": {2 << 30, "2GiB"}, "7B": {7, "7"},
		"1TiB": {1 << 40, "1TiB"},
	} {
		var s Size
		if err := s.Set(text); err != nil || int64(s) != want.bytes || s.String() != want.written {
			t.Errorf("%q: %d, %q, %v", text, s, s.String(), err)
		}
	}
	for _, text := range []string{"", "-1", "1.5GiB", "GiB", "20GB", "9000000TiB", "9223372036854775808", "x"} {
		if s := Size(7); s.Set(text) == nil || s != 7 {
			t.Errorf("%q is taken: %d", text, s)
		}
	}
}
