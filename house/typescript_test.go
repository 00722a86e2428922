package house

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// TestTypeScript: files of TypeScript packages are as short as others, and the protocol's imports nothing but its own files, so that it runs wherever JavaScript does.
func TestTypeScript(t *testing.T) {
	from := regexp.MustCompile(`(?m)^(?:import|export|\}).* from '([^']+)'|\bimport\('([^']+)'\)`)
	seen := 0
	for _, name := range files(t) {
		if !strings.HasPrefix(name, "protocol/ts/") || !strings.HasSuffix(name, ".ts") {
			continue
		}
		seen++
		text := read(t, name)
		if n := bytes.Count(text, []byte("\n")); n > maxLines {
			t.Errorf("%s has %d lines, more than %d: it holds more than one idea", name, n, maxLines)
		}
		if !strings.HasPrefix(name, "protocol/ts/src/") {
			continue
		}
		for _, m := range from.FindAllSubmatch(text, -1) {
			if module := string(m[1]) + string(m[2]); !strings.HasPrefix(module, "./") {
				t.Errorf("%s imports %s: the package runs in browsers, and has no dependencies", name, module)
			}
		}
	}
	if seen == 0 {
		t.Error("no files of TypeScript found")
	}
}
