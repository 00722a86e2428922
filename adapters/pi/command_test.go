package pi

import "testing"

func TestLegacy(t *testing.T) {
	for version, want := range map[string]bool{
		"": false, "0.73.1": true, "v0.73.1": true, "1.5.2": false, "devel": false, "v0.0.0-20261120-abc": false,
	} {
		if got := legacy(version); got != want {
			t.Errorf("legacy(%q) = %v", version, got)
		}
	}
}
