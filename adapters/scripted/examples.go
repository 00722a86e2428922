package scripted

import (
	"embed"
	"slices"
	"strings"
)

//go:embed scripts/*.json
var examples embed.FS

// Example returns the text of a built-in script: --script takes its name in place of a file.
func Example(name string) ([]byte, bool) {
	text, err := examples.ReadFile("scripts/" + name + ".json")
	return text, err == nil
}

// Examples returns the names of the built-in scripts, in order.
func Examples() []string {
	dir, err := examples.ReadDir("scripts")
	if err != nil {
		return nil
	}
	names := make([]string, 0, len(dir))
	for _, e := range dir {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	slices.Sort(names)
	return names
}
