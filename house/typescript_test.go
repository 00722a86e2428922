package house

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// typeScript are the folders of TypeScript packages and what their files may import; the first row that fits counts.
var typeScript = []struct{ folder, imports, why string }{
	{"protocol/ts/src/", `^\./[a-z0-9]+\.ts$`, "the package runs in browsers, and has no dependencies"},
	{"protocol/ts/", `.*`, ""},
	{"api/client/ts/src/node/", `^(\.{1,2}/([a-z]+/)?[a-z0-9]+\.ts|ringmaster-protocol|node:[a-z/]+)$`, "what Node has is all that it may need besides the protocol"},
	{"api/client/ts/src/", `^(\.{1,2}/((cache|sync|mirror|types|opfs)/)?[a-z0-9]+\.ts|ringmaster-protocol)$`, "this part runs in browsers, and depends on the protocol alone"},
	{"api/client/ts/", `.*`, ""},
	{"api/web/src/text/", `^(\./[a-z0-9]+\.ts|ringmaster-protocol|marked)$`, "what becomes of texts is pure: it knows no page and no daemon"},
	{"api/web/src/tabs/", `^(\./[a-z0-9]+\.ts|ringmaster-(client|protocol))$`, "what tabs say to each other is decided without a browser"},
	{"api/web/src/worker/", `^(\./[a-z0-9]+\.ts|\.\./(tabs|text)/[a-z0-9]+\.ts|\.\./live/watched\.ts|ringmaster-(client|client/opfs|protocol))$`, "the worker draws nothing, and is a file of its own"},
	{"api/web/src/login/", `^(\./[a-z0-9]+\.ts|\.\./tabs/names\.ts|\.\./text/[a-z0-9]+\.ts|ringmaster-client|@preact/signals)$`, "the login knows no view and no session"},
	{"api/web/src/live/", `^(\./[a-z0-9]+\.ts|\.\./(tabs|text)/[a-z0-9]+\.ts|ringmaster-(client|protocol)|@preact/signals)$`, "what the page knows of the daemon is known without a view"},
	{"api/web/src/", `^(\.{1,2}/((changes|controls|find|live|login|nodes|palette|raw|text|time|usage|view|whole)/)?[a-z0-9]+\.tsx?|ringmaster-(client|protocol)|preact(/hooks)?|@preact/signals|marked)$`, "the page has three dependencies, and the packages"},
	{"api/web/", `.*`, ""},
}

// TestTypeScript: files of TypeScript packages are as short as others, and import what their package may: the protocol's nothing, the client's the protocol, the page's both.
func TestTypeScript(t *testing.T) {
	from := regexp.MustCompile(`(?m)^(?:import|export|\}).* from '([^']+)'|\bimport\('([^']+)'\)`)
	seen := map[string]bool{}
	for _, name := range files(t) {
		if !strings.HasSuffix(name, ".ts") && !strings.HasSuffix(name, ".tsx") {
			continue
		}
		for _, row := range typeScript {
			if !strings.HasPrefix(name, row.folder) {
				continue
			}
			seen[row.folder] = true
			text := read(t, name)
			if n := bytes.Count(text, []byte("\n")); n > maxLines {
				t.Errorf("%s has %d lines, more than %d: it holds more than one idea", name, n, maxLines)
			}
			for _, m := range from.FindAllSubmatch(text, -1) {
				if module := string(m[1]) + string(m[2]); !regexp.MustCompile(row.imports).MatchString(module) {
					t.Errorf("%s imports %s: %s", name, module, row.why)
				}
			}
			break
		}
	}
	for _, row := range typeScript {
		if !seen[row.folder] {
			t.Errorf("no files of TypeScript found in %s", row.folder)
		}
	}
}
