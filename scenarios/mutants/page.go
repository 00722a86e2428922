package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// overlaid has Node take the text of one module from another file, so that the files of the tree stay as they are.
const overlaid = `import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
const { MUTANT_FILE: file, MUTANT_TEXT: text } = process.env;
const edited = pathToFileURL(file).href;
const source = () => stripTypeScriptTypes(readFileSync(text, 'utf8'));
registerHooks({
  load: (url, context, next) => (url === edited ? { format: 'module', source: source(), shortCircuit: true } : next(url, context)),
});
`

// pageLimit is how long a test of a page may take.
const pageLimit = 3 * time.Minute

// Pages says why the tests of TypeScript packages cannot be run here; nil: they can.
func Pages(ctx context.Context, root string) error {
	said, err := exec.CommandContext(ctx, "node", "-p", "process.versions.node.split('.')[0] >= 24").Output()
	if err != nil || strings.TrimSpace(string(said)) != "true" {
		return errors.New("there is no Node 24, which runs TypeScript as it is")
	}
	if _, err := os.Stat(filepath.Join(root, "api", "web", "node_modules")); err != nil {
		return errors.New("the page's packages are not installed: tools/web.sh does that")
	}
	return nil
}

// page writes the edited module, and gives its path.
func (b *Bench) page(m *Mutant) (string, error) {
	text, err := os.ReadFile(filepath.Join(b.Root, m.File))
	if err != nil {
		return "", err
	}
	edited, err := m.Apply(string(text))
	if err != nil {
		return "", err
	}
	path := filepath.Join(b.Dir, m.Name+".ts.edited")
	return path, os.WriteFile(path, []byte(edited), 0o600) //nolint:gosec // in a folder of the test's
}

// runPage runs the mutant's test with the edited module in place of the one of the tree; edited is empty without an edit.
func (b *Bench) runPage(ctx context.Context, edited string, m *Mutant) (passed bool, said string, err error) {
	ctx, end := context.WithTimeout(ctx, pageLimit)
	defer end()
	loader := filepath.Join(b.Dir, m.Name+".mjs")
	if err := os.WriteFile(loader, []byte(overlaid), 0o600); err != nil {
		return false, "", err
	}
	args := []string{"--test-reporter=tap", "--test-name-pattern=^" + regexp.QuoteMeta(m.Test) + "$", m.Page}
	if edited != "" {
		args = append([]string{"--import=" + loader}, args...)
	}
	file, err := filepath.Abs(filepath.Join(b.Root, m.File))
	if err != nil {
		return false, "", err
	}
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Dir = filepath.Join(b.Root, m.Dir)
	cmd.Env = append(os.Environ(), "NODE_NO_WARNINGS=1", "MUTANT_FILE="+file, "MUTANT_TEXT="+edited)
	out, err := cmd.CombinedOutput()
	said = string(out)
	result := regexp.MustCompile(`(?m)^(not )?ok \d+ - ` + regexp.QuoteMeta(m.Test) + `$`).FindStringSubmatch(said)
	switch {
	case result == nil:
		return false, said, errors.Join(fmt.Errorf("there is no test %q in %s, or it did not come to it", m.Test, m.Page), err)
	case result[1] == "" && err == nil:
		return true, said, nil
	case result[1] != "" && errors.As(err, new(*exec.ExitError)):
		return false, said, nil
	}
	return false, said, fmt.Errorf("%s neither passed nor failed: %w", m.Test, err)
}
