package settings

import (
	"cmp"
	"crypto/x509"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/spf13/pflag"
)

// CoreFlags say where Core is. Commands that speak with Core have them, too.
type CoreFlags struct {
	url, passwordFile, tokenFile, caFile string
	objects                              objectsFlags
}

// AddTo gives them to a set of flags.
func (c *CoreFlags) AddTo(f *pflag.FlagSet) {
	f.StringVar(&c.url, "core", "",
		"Core, which keeps the logs beside this machine: postgres://USER@HOST/DATABASE, without a password, or https://HOST:PORT of ringmaster core serve")
	f.StringVar(&c.passwordFile, "core-password-file", "", "file with the password for --core, which only its owner may read")
	f.StringVar(&c.tokenFile, "core-token-file", "", "file with this node's token for --core over HTTP, which only its owner may read (ringmaster core admit)")
	f.StringVar(&c.caFile, "core-ca-file", "",
		"file with the certificates (PEM) of those who may vouch for the server of --core over HTTP; none: whom the system trusts")
	c.objects.addTo(f)
}

// Core checks them; the zero value where there is no Core.
func (c *CoreFlags) Core() (daemon.Core, error) {
	switch {
	case c.url == "" && c.objects != (objectsFlags{}):
		return daemon.Core{}, &Problem{"--objects", "there is no --core", "events come from there: name the database with --core postgres://USER@HOST/DATABASE"}
	case c.url == "" && c.passwordFile != "":
		return daemon.Core{}, &Problem{"--core-password-file", "there is no --core", "name the database with --core postgres://USER@HOST/DATABASE"}
	case c.url == "" && c.tokenFile != "":
		return daemon.Core{}, &Problem{"--core-token-file", "there is no --core", "name the server with --core https://HOST:PORT"}
	case c.url == "" && c.caFile != "":
		return daemon.Core{}, &Problem{"--core-ca-file", "there is no --core", "name the server with --core https://HOST:PORT"}
	case c.url == "":
		return daemon.Core{}, nil
	}
	u, err := url.Parse(c.url)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return c.served(u)
	}
	if err == nil && c.tokenFile != "" {
		return daemon.Core{}, &Problem{
			"--core-token-file", "--core is a database, which knows no tokens", "name the address of `ringmaster core serve` with --core",
		}
	}
	if err == nil && c.caFile != "" {
		return daemon.Core{}, &Problem{
			"--core-ca-file", "--core is no https address", "for a database, name the file in the URL of --core: ?sslmode=verify-full&sslrootcert=FILE",
		}
	}
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" { // the error has the text, which may have a password
		return daemon.Core{}, &Problem{
			"--core", "it is no URL of a PostgreSQL database, nor of ringmaster core serve",
			"such as postgres://ringmaster@db.example.org/ringmaster?sslmode=verify-full, or https://core.example.org:7434",
		}
	}
	if _, has := u.User.Password(); has || u.Query().Has("password") {
		return daemon.Core{}, &Problem{
			"--core", "it has a password, which everybody on this machine could see in the list of processes",
			"put the password alone into a file that only you may read, and name it with --core-password-file",
		}
	}
	if !u.Query().Has("sslmode") && !isHere(u) {
		return daemon.Core{}, &Problem{
			"--core", "it is on another machine, and does not say how the connection is made safe",
			"add ?sslmode=verify-full, with sslrootcert where the server's certificate is of an authority of your own; ?sslmode=disable sends all in the clear",
		}
	}
	if c.passwordFile != "" {
		if _, err := readSecret("password", "--core-password-file", c.passwordFile); err != nil {
			return daemon.Core{}, err
		}
	}
	store, err := c.objects.objects()
	if err != nil {
		return daemon.Core{}, err
	}
	core := daemon.Core{URL: c.url, Objects: store}
	if path := c.passwordFile; path != "" {
		core.Password = func() (string, error) { return readSecret("password", "--core-password-file", path) }
	}
	return core, nil
}

// served is Core over HTTP.
func (c *CoreFlags) served(u *url.URL) (daemon.Core, error) {
	no := func(flag, problem, hint string) (daemon.Core, error) {
		return daemon.Core{}, &Problem{flag, problem, hint}
	}
	switch ip, err := netip.ParseAddr(u.Hostname()); {
	case u.Host == "" || u.Port() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		return no("--core", "it is no address of ringmaster core serve", "want https://HOST:PORT")
	case u.User != nil:
		return no("--core", "it has a user or a password, which everybody on this machine could see in the list of processes",
			"put this node's token alone into a file that only you may read, and name it with --core-token-file")
	case u.Scheme == "http" && u.Hostname() != "localhost" && (err != nil || !ip.IsLoopback()):
		return no("--core", "the token and all logs would cross the network in the clear",
			"name an https address: ringmaster core serve takes --tls-cert and --tls-key")
	case c.tokenFile == "":
		return no("--core", "the server wants a token of this node",
			"let who runs Core make one with `ringmaster core admit NAME`, put it alone into a file, and name that with --core-token-file")
	case c.caFile != "" && u.Scheme == "http":
		return no("--core-ca-file", "the server of an http address has no certificate", "name an https address with --core, or take the flag away")
	case c.passwordFile != "":
		return no("--core-password-file", "--core is no database", "a node on an http address holds no password: take the flag away")
	case c.objects != (objectsFlags{}):
		return no("--objects", "the object store is the server's", "take the flag away here, and give it to ringmaster core serve")
	}
	if _, err := readSecret("token", "--core-token-file", c.tokenFile); err != nil {
		return daemon.Core{}, err
	}
	path, ca := c.tokenFile, c.caFile
	at := daemon.Core{
		URL: strings.TrimSuffix(c.url, "/"), Token: func() (string, error) { return readSecret("token", "--core-token-file", path) },
	}
	if ca == "" {
		return at, nil
	}
	at.Authorities = func() (*x509.CertPool, error) { return readAuthorities("--core-ca-file", ca) }
	_, err := at.Authorities()
	return at, err
}

// isHere says that a database is reached without a network.
func isHere(u *url.URL) bool {
	host := cmp.Or(u.Query().Get("host"), u.Hostname(), os.Getenv("PGHOST"), "localhost") // as the driver finds it
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasPrefix(host, "/") || err == nil && ip.IsLoopback()
}

// MetricsToken reads the token of whoever may read the metrics of a process that is no daemon.
func MetricsToken(path string) (string, error) {
	const flag, least = "--metrics-token-file", 20
	token, err := readSecret("token", flag, path)
	if err == nil && (len(token) < least || strings.ContainsAny(token, " \t")) {
		err = &Problem{"token file " + path, "its line is no token of at least 20 letters and digits, without blanks", "openssl rand -hex 32 makes one"}
	}
	return token, err
}

// readSecret reads a file anew each time, so that a password or a token can be changed while a daemon runs.
func readSecret(what, flag, path string) (string, error) {
	where := what + " file " + path
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", &Problem{where, "it cannot be read: " + err.Error(), "make it, or name another with " + flag}
	case !info.Mode().IsRegular() || info.Size() > 4096:
		return "", &Problem{where, "it is no file of at most 4 KiB", "the " + what + " is its only line"}
	case info.Mode().Perm()&0o077 != 0:
		return "", &Problem{where, "others than its owner may read or write it", "chmod 600 " + path}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", &Problem{where, "it cannot be read: " + err.Error(), "let this user read it"}
	}
	secret := strings.TrimRight(string(text), "\r\n")
	if secret == "" || strings.ContainsAny(secret, "\r\n\x00") {
		return "", &Problem{where, "it has not exactly one line", "the " + what + " is its only line"}
	}
	return secret, nil
}
