package browser

import (
	"errors"
	"testing"
)

// TestOpener: a link is given to the desktop, where there is one.
func TestOpener(t *testing.T) {
	for _, row := range []struct {
		system string
		env    map[string]string
		want   string
	}{
		{"darwin", nil, "open"},
		{"linux", nil, ""},
		{"linux", map[string]string{"DISPLAY": ":0"}, "xdg-open"},
		{"linux", map[string]string{"WAYLAND_DISPLAY": "wayland-0"}, "xdg-open"},
	} {
		got, err := opener(row.system, func(name string) string { return row.env[name] })
		if got != row.want || errors.Is(err, errNoDesktop) != (row.want == "") {
			t.Errorf("%s with %v: %q, %v", row.system, row.env, got, err)
		}
	}
}
