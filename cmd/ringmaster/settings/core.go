package settings

import (
	"cmp"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/spf13/pflag"
)

// CoreFlags say where Core is. Commands that speak with Core have them, too.
type CoreFlags struct{ url, passwordFile string }

// AddTo gives them to a set of flags.
func (c *CoreFlags) AddTo(f *pflag.FlagSet) {
	f.StringVar(&c.url, "core", "", "Core, which keeps the logs beside this machine: postgres://USER@HOST/DATABASE, without a password")
	f.StringVar(&c.passwordFile, "core-password-file", "", "file with the password for --core, which only its owner may read")
}

// Core checks them; the zero value where there is no Core.
func (c *CoreFlags) Core() (daemon.Core, error) {
	switch {
	case c.url == "" && c.passwordFile != "":
		return daemon.Core{}, &Problem{"--core-password-file", "there is no --core", "name the database with --core postgres://USER@HOST/DATABASE"}
	case c.url == "":
		return daemon.Core{}, nil
	}
	u, err := url.Parse(c.url)
	if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" { // the error has the text, which may have a password
		return daemon.Core{}, &Problem{
			"--core", "it is no URL of a PostgreSQL database", "such as postgres://ringmaster@db.example.org/ringmaster?sslmode=verify-full",
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
		if _, err := readPassword(c.passwordFile); err != nil {
			return daemon.Core{}, err
		}
	}
	core := daemon.Core{URL: c.url}
	if path := c.passwordFile; path != "" {
		core.Password = func() (string, error) { return readPassword(path) }
	}
	return core, nil
}

// isHere says that a database is reached without a network.
func isHere(u *url.URL) bool {
	host := cmp.Or(u.Query().Get("host"), u.Hostname(), os.Getenv("PGHOST"), "localhost") // as the driver finds it
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasPrefix(host, "/") || err == nil && ip.IsLoopback()
}

// readPassword reads the file anew for each connection, so that a password can be changed while a daemon runs.
func readPassword(path string) (string, error) {
	where := "password file " + path
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", &Problem{where, "it cannot be read: " + err.Error(), "make it, or name another with --core-password-file"}
	case !info.Mode().IsRegular() || info.Size() > 4096:
		return "", &Problem{where, "it is no file of at most 4 KiB", "the password is its only line"}
	case info.Mode().Perm()&0o077 != 0:
		return "", &Problem{where, "others than its owner may read or write it", "chmod 600 " + path}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", &Problem{where, "it cannot be read: " + err.Error(), "let this user read it"}
	}
	password := strings.TrimRight(string(text), "\r\n")
	if password == "" || strings.ContainsAny(password, "\r\n\x00") {
		return "", &Problem{where, "it has not exactly one line", "the password is its only line"}
	}
	return password, nil
}
