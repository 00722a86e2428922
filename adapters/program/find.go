package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Query says which program to look for.
type Query struct {
	Env     string   // environment variable that names the program; not set or empty: Name on the PATH counts
	Name    string   // of the program
	Args    []string // that make it say its version and end
	Tested  []string // tested versions, each the beginning of one up to a dot: "0.169" is 0.169.1 and not 0.1690.1
	Install string   // command that installs it; with "@" and a version behind it, that one
	Needs   string   // hint for a program that is there and does not run; empty: as for one that is missing
}

var versionForm = regexp.MustCompile(`\d+\.\d+\.\d+[-+.\w]*`)

// Find looks for a program and asks it for its version, on either of its outputs. The program gets the daemon's environment
// without the daemon's own variables; it has ended when Find returns, at the latest shortly after ctx has. An
// Installation without Program was not found; one with a Problem was, and does not run. One that is not tested has a Hint.
func Find(ctx context.Context, q Query) adapters.Installation {
	name, hint := os.Getenv(q.Env), "install it with: "+q.Install
	if name == "" {
		name = q.Name
	} else {
		hint = q.Env + " names the program; " + hint
	}
	path, err := exec.LookPath(name)
	if err == nil {
		path, err = filepath.Abs(path) // sessions have other folders
	}
	if err != nil {
		return adapters.Installation{Problem: name + " was not found", Hint: hint}
	}
	found := adapters.Installation{Program: path, Hint: hint}
	asked := strings.Join(append([]string{q.Name}, q.Args...), " ")
	said, err := run(ctx, path, q.Args)
	switch version := versionForm.FindString(said); {
	case errors.Is(err, context.DeadlineExceeded): // nothing says that it is not whole
		found.Late = true
		found.Problem, found.Hint = asked+": no answer in time", "the program is there; try again when the machine is less busy"
	case err != nil:
		found.Problem = fmt.Sprintf("%s: %v%s", asked, err, lastLine(said))
		if q.Needs != "" {
			found.Hint = q.Needs
		}
	case version == "":
		found.Problem = asked + ": no version in its answer"
	default:
		found.Version, found.Hint = version, ""
		if found.Tested = tested(version, q.Tested); !found.Tested && len(q.Tested) > 0 {
			found.Hint = "it may work; for a tested version: " + q.Install + "@" + q.Tested[len(q.Tested)-1]
		}
	}
	return found
}

func tested(version string, prefixes []string) bool {
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(version, p); ok && (rest == "" || rest[0] == '.') {
			return true
		}
	}
	return false
}

// lastLine is what a program said last before it failed.
func lastLine(said string) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	last := strings.TrimSpace(lines[len(lines)-1])
	if last == "" {
		return ""
	}
	const most = 200
	if len(last) > most {
		last = last[:most] + "…"
	}
	return ": " + strings.ToValidUTF8(last, "")
}
