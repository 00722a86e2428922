package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/authority"
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
		"a password":                  {CoreFlags{url: url, passwordFile: good}, ""},
		"a file without Core":         {CoreFlags{passwordFile: good}, "there is no --core"},
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
		"no file":                     {CoreFlags{url: url, passwordFile: good + "x"}, "it cannot be read"},
		"a folder":                    {CoreFlags{url: url, passwordFile: t.TempDir()}, "it is no file"},
		"a file that others read":     {CoreFlags{url: url, passwordFile: file("s3cret", 0o640)}, "others than its owner"},
		"a file without a line":       {CoreFlags{url: url, passwordFile: file("\n", 0o600)}, "it has not exactly one line"},
		"a file of two lines":         {CoreFlags{url: url, passwordFile: file("s3cret\nmore\n", 0o600)}, "it has not exactly one line"},
		"a file that is a whole book": {CoreFlags{url: url, passwordFile: file(strings.Repeat("s3cret", 1000), 0o600)}, "it is no file of at most 4 KiB"},
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
	core, err := (&CoreFlags{url: url, passwordFile: good}).Core()
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

// TestCoreAuthorities: who may vouch for Core's server is read before anything begins, and again for each connection; what is no certificate is told.
//
// Proves: I16.3/tls
func TestCoreAuthorities(t *testing.T) {
	file := func(text string) string {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a := authority.New(t)
	_, key := a.Vouch(t, "localhost", time.Now().Add(time.Hour))
	token, good := file("a token\n"), file(string(a.PEM))
	const url = "https://core.example.org:7434"
	for name, c := range map[string]struct {
		flags CoreFlags
		why   string // "": it is taken
	}{
		"none":                  {CoreFlags{url: url, tokenFile: token}, ""},
		"one":                   {CoreFlags{url: url, tokenFile: token, caFile: good}, ""},
		"two, and words":        {CoreFlags{url: url, tokenFile: token, caFile: file("# ours\n" + string(a.PEM) + "# theirs\n" + string(authority.New(t).PEM))}, ""},
		"without Core":          {CoreFlags{caFile: good}, "there is no --core"},
		"of a database":         {CoreFlags{url: "postgres://u@localhost/d", caFile: good}, "no https address"},
		"of an address in http": {CoreFlags{url: "http://localhost:7434", tokenFile: token, caFile: good}, "has no certificate"},
		"no file":               {CoreFlags{url: url, tokenFile: token, caFile: good + "x"}, "it cannot be read"},
		"a folder":              {CoreFlags{url: url, tokenFile: token, caFile: t.TempDir()}, "it is no file"},
		"too much":              {CoreFlags{url: url, tokenFile: token, caFile: file(strings.Repeat("x", 1<<20+1))}, "it is no file of at most 1 MiB"},
		"nothing":               {CoreFlags{url: url, tokenFile: token, caFile: file("")}, "it is no PEM file"},
		"no PEM":                {CoreFlags{url: url, tokenFile: token, caFile: file("hello")}, "it is no PEM file"},
		"no certificate":        {CoreFlags{url: url, tokenFile: token, caFile: file("-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n")}, "no certificate in it"},
		"a damaged one":         {CoreFlags{url: url, tokenFile: token, caFile: file("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")}, "is damaged"},
		"a key":                 {CoreFlags{url: url, tokenFile: token, caFile: file(string(a.PEM) + string(key))}, "a private key"},
	} {
		core, err := c.flags.Core()
		if c.why == "" {
			if err != nil || (core.Authorities != nil) != (c.flags.caFile != "") {
				t.Errorf("%s: %+v, %v", name, core, err)
			}
			continue
		}
		var p *Problem
		if !errors.As(err, &p) || p.Hint() == "" || !strings.Contains(err.Error(), c.why) || strings.Contains(err.Error(), "PRIVATE") {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
	core, err := (&CoreFlags{url: url, tokenFile: token, caFile: good}).Core()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(good, authority.New(t).PEM, 0o600); err != nil {
		t.Fatal(err)
	}
	was, _ := a.Pool()
	if now, err := core.Authorities(); err != nil || now.Equal(was) {
		t.Errorf("the file is not read again: %v", err)
	}
}

// TestObjects: where the object store is, and with which keys, is checked before anything begins, and no secret is told.
func TestObjects(t *testing.T) {
	const url = "postgres://u@localhost/d"
	dir := t.TempDir()
	keys := func(text string, mode os.FileMode) string {
		path := filepath.Join(t.TempDir(), "keys")
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := keys("aws_access_key_id = id\naws_secret_access_key = s3cret\n", 0o600)
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	for name, c := range map[string]struct {
		flags CoreFlags
		why   string // "": it is taken
	}{
		"none":                {CoreFlags{url: url}, ""},
		"a folder":            {CoreFlags{url: url, objects: objectsFlags{at: dir}}, ""},
		"no folder":           {CoreFlags{url: url, objects: objectsFlags{at: dir + "/none"}}, ""},
		"a bucket":            {CoreFlags{url: url, objects: objectsFlags{"s3://bucket/a?endpoint=https://h:1", good}}, ""},
		"without Core":        {CoreFlags{objects: objectsFlags{at: dir}}, "there is no --core"},
		"keys of nothing":     {CoreFlags{url: url, objects: objectsFlags{keysFile: good}}, "there is no --objects"},
		"keys of a folder":    {CoreFlags{url: url, objects: objectsFlags{dir, good}}, "has no keys"},
		"part of a path":      {CoreFlags{url: url, objects: objectsFlags{at: "objects"}}, "neither a whole path"},
		"another scheme":      {CoreFlags{url: url, objects: objectsFlags{at: "gs://s3cret@bucket"}}, "cannot be read"},
		"a secret in the URL": {CoreFlags{url: url, objects: objectsFlags{"s3://id:s3cret@bucket", good}}, "a user or a secret"},
		"no keys":             {CoreFlags{url: url, objects: objectsFlags{at: "s3://bucket"}}, "the store wants keys"},
		"keys for others":     {CoreFlags{url: url, objects: objectsFlags{"s3://bucket", keys("aws_access_key_id=a\naws_secret_access_key=s3cret", 0o644)}}, "others than its owner"},
		"a file of no keys":   {CoreFlags{url: url, objects: objectsFlags{"s3://bucket", keys("s3cret", 0o600)}}, "it cannot be used"},
	} {
		at, err := c.flags.Core()
		switch {
		case c.why == "" && err == nil:
			if at.Objects.IsSet() != (c.flags.objects.at != "") {
				t.Errorf("%s: %+v", name, at)
			}
			continue
		case c.why == "" || err == nil || !strings.Contains(err.Error(), c.why) || strings.Contains(err.Error(), "s3cret"):
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
		var p *Problem
		if !errors.As(err, &p) || p.Hint() == "" {
			t.Errorf("%s: an error without a hint", name)
		}
	}
}
