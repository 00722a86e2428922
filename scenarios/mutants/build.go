package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// Limit is how long a test may take before it counts as failed; text of testing's own flag.
const Limit = "3m"

// Bench builds and runs tests below the module's root, with and without a mutant.
type Bench struct {
	Root string // of the module
	Dir  string // for what is built

	runs atomic.Int64
}

// Build makes the test program of a folder, with the mutant's edit where m is not nil, and gives its path.
func (b *Bench) Build(ctx context.Context, dir string, m *Mutant) (string, error) {
	if m != nil && m.Page != "" {
		return b.page(m)
	}
	name := strings.ReplaceAll(dir, "/", "_")
	args := []string{"test", "-c", "-ldflags=-s -w"} // no debug information: linking is half of the work
	if m != nil {
		name = m.Name
		overlay, err := b.overlay(m)
		if err != nil {
			return "", err
		}
		args = append(args, "-overlay", overlay)
	}
	program := filepath.Join(b.Dir, name+".test")
	cmd := exec.CommandContext(ctx, "go", append(args, "-o", program, "./"+dir)...)
	cmd.Dir = b.Root
	if said, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the tests of %s do not build: %w\n%s", dir, err, said)
	}
	return program, nil
}

// overlay writes the edited file and what tells the compiler of it.
func (b *Bench) overlay(m *Mutant) (string, error) {
	path, err := filepath.Abs(filepath.Join(b.Root, m.File))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	edited, err := m.Apply(string(text))
	if err != nil {
		return "", err
	}
	file := filepath.Join(b.Dir, m.Name+".go.edited")
	said, err := json.Marshal(map[string]map[string]string{"Replace": {path: file}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(b.Dir, m.Name+".json")
	if err := os.WriteFile(file, []byte(edited), 0o600); err != nil { //nolint:gosec // in a folder of the test's
		return "", err
	}
	return overlay, os.WriteFile(overlay, said, 0o600)
}

// Run runs the mutant's test in a program that Build made. It passed or failed; anything else, such as a test that is not there, is
// an error.
func (b *Bench) Run(ctx context.Context, program string, m *Mutant) (passed bool, said string, err error) {
	if m.Page != "" {
		return b.runPage(ctx, program, m)
	}
	args := []string{"-test.v", "-test.count=1", "-test.failfast", "-test.timeout=" + Limit, "-test.run=" + m.pattern()}
	if draws, err := b.draws(m.Dir); err != nil {
		return false, "", err
	} else if draws {
		args = append(args, "-rapid.nofailfile") // a mutant's failure is nobody's to keep
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = filepath.Join(b.Root, m.Dir)
	temp := filepath.Join(os.TempDir(), strconv.FormatInt(b.runs.Add(1), 36)) // short: paths of sockets are bounded
	if err := os.Mkdir(temp, 0o700); err != nil {
		return false, "", err
	}
	defer os.RemoveAll(temp) // a test that panics leaves what it has there
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "RINGMASTER_") }), "TMPDIR="+temp)
	out, err := cmd.CombinedOutput()
	said = string(out)
	name := m.Test
	if m.Sub != "" {
		name += "/" + m.Sub
	}
	ran := strings.Contains(said, "=== RUN   "+name+"\n")
	switch {
	case !ran:
		return false, said, errors.Join(fmt.Errorf("there is no test %s in %s, or it did not come to it", name, m.Dir), err)
	case err == nil:
		if !strings.Contains(said, "--- PASS: "+name+" ") {
			return false, said, fmt.Errorf("%s was skipped", name)
		}
		return true, said, nil
	case errors.As(err, new(*exec.ExitError)): // also by what the package's tests end with: leaks, and what must never be the case
		return false, said, nil
	}
	return false, said, fmt.Errorf("%s neither passed nor failed: %w", name, err)
}

// draws says that tests of a folder draw their inputs, and would write those that fail into the tree.
func (b *Bench) draws(dir string) (bool, error) {
	files, err := filepath.Glob(filepath.Join(b.Root, dir, "*_test.go"))
	if err != nil {
		return false, err
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil || bytes.Contains(text, []byte(`"pgregory.net/rapid"`)) {
			return err == nil, err
		}
	}
	return false, nil
}

// pattern matches the test, its subtest and what that consists of, and nothing else.
func (m *Mutant) pattern() string {
	p := "^" + m.Test + "$"
	for name := range strings.SplitSeq(m.Sub, "/") {
		if name != "" {
			p += "/^" + regexp.QuoteMeta(name) + "$"
		}
	}
	return p
}
