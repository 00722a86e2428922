package house

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The image is built with the Go of go.mod, and what it runs is what the program takes: its entry point, its command and its health check.
func TestDockerfile(t *testing.T) {
	file := string(read(t, "Dockerfile"))
	mod := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(read(t, "go.mod"))
	from := regexp.MustCompile(`(?m)^FROM golang:(\S+) AS build$`).FindStringSubmatch(file)
	if mod == nil || from == nil || from[1] != string(mod[1]) {
		t.Errorf("Dockerfile is built with %q, go.mod asks for %q", from, mod)
	}
	if user := regexp.MustCompile(`(?m)^USER (\S+)$`).FindStringSubmatch(file); user == nil || strings.HasPrefix(user[1], "0") || strings.HasPrefix(user[1], "root") {
		t.Errorf("Dockerfile runs as %q", user)
	}
	if _, err := os.Stat("cmd/ringmaster/command/version.go"); err != nil || !strings.Contains(string(read(t, "cmd/ringmaster/command/version.go")), "released") ||
		!strings.Contains(file, "cmd/ringmaster/command.released=$VERSION") {
		t.Error("Dockerfile does not set the version that the program says")
	}
	words := regexp.MustCompile(`"([^"]*)"`)
	for name, want := range map[string]int{"HEALTHCHECK": 5, "CMD": 0} { // exit codes: no daemon runs; help
		line := regexp.MustCompile(`(?m)^` + name + `\b.*(\[.*\])$`).FindStringSubmatch(file)
		if line == nil {
			t.Errorf("Dockerfile has no %s", name)
			continue
		}
		args := []string{"run", "./cmd/ringmaster", "--data", t.TempDir()}
		for _, w := range words.FindAllStringSubmatch(line[1], -1) {
			if w[1] != "/ringmaster" {
				args = append(args, w[1])
			}
		}
		if name == "CMD" {
			args = append(args, "--help")
		}
		out, _ := exec.Command("go", args...).CombinedOutput()
		if want != 0 && !strings.Contains(string(out), "exit status 5") || want == 0 && !strings.Contains(string(out), "Usage:") {
			t.Errorf("%s: %q says %s", name, args, out)
		}
	}
}
