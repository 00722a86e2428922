package api

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGeneratedClients lets the clients that were generated from the committed descriptions make, prompt and read a session.
//
// Proves: I13.8/clients
func TestGeneratedClients(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles two clients")
	}
	h := newHarness(t)
	env := append(os.Environ(), "RINGMASTER_URL="+h.base, "RINGMASTER_TOKEN="+testToken, "RINGMASTER_AGENT=echo", "RINGMASTER_CWD=/work/x")
	run := func(t *testing.T, dir, name string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		t.Logf("%s", out)
	}
	t.Run("Go", func(t *testing.T) {
		dir := filepath.Join("clienttest", "go")
		fetch := exec.CommandContext(t.Context(), "go", "mod", "download")
		fetch.Dir = dir
		if out, err := fetch.CombinedOutput(); err != nil {
			t.Skipf("the modules of the client cannot be had: %s", out)
		}
		run(t, dir, "go", "test", "-count=1", ".")
	})
	t.Run("TypeScript", func(t *testing.T) {
		dir := filepath.Join("clienttest", "ts")
		tsc := filepath.Join("node_modules", ".bin", "tsc")
		if _, err := exec.LookPath("node"); err != nil {
			t.Skip("node is missing")
		}
		if _, err := os.Stat(filepath.Join(dir, tsc)); err != nil {
			t.Skip("the packages of the client are missing: api/clienttest/check.sh fetches them")
		}
		hey := filepath.Join("node_modules", ".bin", "openapi-ts")
		if _, err := os.Stat(filepath.Join(dir, hey)); err != nil {
			t.Skip("Hey API is missing: api/clienttest/check.sh fetches it")
		}
		run(t, dir, hey) // its client is not kept
		run(t, dir, tsc, "-p", ".")
		for _, program := range []string{"read.js", "hey.js"} {
			t.Run(program, func(t *testing.T) { run(t, dir, "node", filepath.Join("build", program)) })
		}
	})
}

// TestDocsInBrowser executes everything that /docs shows, in a browser.
func TestDocsInBrowser(t *testing.T) { inBrowser(t, "docs.js") }

// TestPageInBrowser opens the page as its readers do, and is logged in and out.
//
// Proves: I13.9/page
func TestPageInBrowser(t *testing.T) { inBrowser(t, "page.js") }

// inBrowser lets a program drive a browser against a daemon.
func inBrowser(t *testing.T, program string) {
	chromium, err := exec.LookPath(os.Getenv("CHROMIUM"))
	if err != nil {
		t.Skip("CHROMIUM names no browser, which takes a minute: api/clienttest/check.sh finds it")
	}
	dir := filepath.Join("clienttest", "browser")
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		t.Skip("the driver of the browser is missing: api/clienttest/check.sh fetches it")
	}
	h := newHarness(t)
	cmd := exec.CommandContext(t.Context(), "node", program)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CHROMIUM="+chromium, "RINGMASTER_URL="+h.base, "RINGMASTER_TOKEN="+testToken, "RINGMASTER_CWD=/work/x")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
