package pi

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// ProgramEnv names the program where it is not `pi` on the PATH.
const ProgramEnv = "RINGMASTER_PI"

const install = "install it with: npm install -g @earendil-works/pi-coding-agent"

var versionForm = regexp.MustCompile(`\b(\d+)\.(\d+)\.\d+\S*`)

// Find looks for Pi and asks it for its version.
func (Agent) Find(ctx context.Context) adapters.Installation {
	name := os.Getenv(ProgramEnv)
	hint := install
	if name == "" {
		name = "pi"
	} else {
		hint = ProgramEnv + " names the program; " + install
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return adapters.Installation{Problem: name + " was not found", Hint: hint}
	}
	found := adapters.Installation{Program: path}
	// Pi 0.73 says its version on standard error.
	said, err := exec.CommandContext(ctx, path, "--version").CombinedOutput()
	m := versionForm.FindSubmatch(said)
	switch {
	case err != nil:
		found.Problem = fmt.Sprintf("pi --version: %v%s", err, lastLine(said, err))
		found.Hint = "Pi 1.x needs Node.js 22.19 or later on the PATH"
	case m == nil:
		found.Problem = "pi --version: no version in its answer"
		found.Hint = hint
	default:
		found.Version = string(m[0])
		found.Tested = tested(string(m[1]), string(m[2]))
	}
	return found
}

// tested says whether a version is in the tested range: 0.73 and 1.5.
func tested(major, minor string) bool {
	return major == "0" && minor == "73" || major == "1" && minor == "5"
}

// lastLine is what a program said last before it failed.
func lastLine(said []byte, err error) string {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return ": " + native.Head(last, 200)
	}
	return ""
}
