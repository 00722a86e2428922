package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCorePassword: the password for Core is in a file that its owner alone reads, and nowhere that others see.
func TestCorePassword(t *testing.T) {
	file := func(text string, mode os.FileMode) string {
		path := filepath.Join(t.TempDir(), "password")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil { // whatever the umask is
			t.Fatal(err)
		}
		return path
	}
	const url = "postgres://ringmaster@db.example.org/ringmaster?sslmode=verify-full"
	good := file("s3cret\n", 0o600)
	for name, c := range map[string]struct {
		flags CoreFlags
		why   string // "": it is taken
	}{
		"no Core":                     {CoreFlags{}, ""},
		"no password":                 {CoreFlags{url: url}, ""},
		"a password":                  {CoreFlags{url, good}, ""},
		"a file without Core":         {CoreFlags{"", good}, "there is no --core"},
		"here":                        {CoreFlags{url: "postgres://u@localhost/d"}, ""},
		"here, by its address":        {CoreFlags{url: "postgresql://u@[::1]:5433/d"}, ""},
		"a socket":                    {CoreFlags{url: "postgres://u@/d?host=/run/postgresql"}, ""},
		"in the clear, on purpose":    {CoreFlags{url: "postgres://u@db.example.org/d?sslmode=disable"}, ""},
		"elsewhere, as it comes":      {CoreFlags{url: "postgres://u@db.example.org/d"}, "how the connection is made safe"},
		"elsewhere, two of them":      {CoreFlags{url: "postgres://u@127.0.0.1,db.example.org/d"}, "how the connection is made safe"},
		"elsewhere, in the query":     {CoreFlags{url: "postgres://u@/d?host=db.example.org"}, "how the connection is made safe"},
		"another scheme":              {CoreFlags{url: "mysql://u:s3cret@h/d"}, "it is no URL of a PostgreSQL database"},
		"no URL":                      {CoreFlags{url: "postgres://u:s3c%ret@h"}, "it is no URL of a PostgreSQL database"},
		"a password in the URL":       {CoreFlags{url: "postgres://u:s3cret@h/d"}, "it has a password"},
		"a password in its query":     {CoreFlags{url: "postgres://u@h/d?password=s3cret"}, "it has a password"},
		"no file":                     {CoreFlags{url, good + "x"}, "it cannot be read"},
		"a folder":                    {CoreFlags{url, t.TempDir()}, "it is no file"},
		"a file that others read":     {CoreFlags{url, file("s3cret", 0o640)}, "others than its owner"},
		"a file without a line":       {CoreFlags{url, file("\n", 0o600)}, "it has not exactly one line"},
		"a file of two lines":         {CoreFlags{url, file("s3cret\nmore\n", 0o600)}, "it has not exactly one line"},
		"a file that is a whole book": {CoreFlags{url, file(strings.Repeat("s3cret", 1000), 0o600)}, "it is no file of at most 4 KiB"},
	} {
		core, err := c.flags.Core()
		switch {
		case c.why == "" && err == nil:
			if core.URL != c.flags.url || (core.Password != nil) != (c.flags.passwordFile != "") {
				t.Errorf("%s: %+v", name, core)
			}
			continue
		case c.why == "" || err == nil || !strings.Contains(err.Error(), c.why) || strings.Contains(err.Error(), "s3c"):
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
		var p *Problem
		if !errors.As(err, &p) || p.Hint() == "" {
			t.Errorf("%s: an error without a hint", name)
		}
	}
	core, err := (&CoreFlags{url, good}).Core()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(good, []byte("another\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if now, err := core.Password(); err != nil || now != "another" { // it is read for each connection
		t.Errorf("the password is %q, %v", now, err)
	}
}
