package bash

import (
	"path"
	"strings"
)

// Handed is the command line inside one that hands it to a shell and does nothing else: the shell by a path of its own where systems keep it,
// -c or -lc, one argument. ok is false for any other line.
func Handed(text string) (inner string, ok bool) {
	words := plain(text)
	if len(words) != 3 || words[1] != "-c" && words[1] != "-lc" {
		return "", false
	}
	switch path.Base(words[0]) {
	case "sh", "bash", "zsh", "dash":
	default:
		return "", false
	}
	switch path.Dir(words[0]) {
	case "/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/run/current-system/sw/bin":
		return words[2], words[0] == path.Clean(words[0])
	}
	return "", false
}

// Foreign says that a line begins with a shell that is not of the Bourne family, such as PowerShell: what it means is not known here.
func Foreign(text string) bool {
	first, _, _ := strings.Cut(strings.TrimLeft(text, " \"'"), " ")
	first = strings.Trim(strings.ReplaceAll(first, `\`, "/"), `"'`)
	return foreign(base(first))
}
