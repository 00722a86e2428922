package server

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// rules admit the one user to the one database from this machine, and nobody to anything else: not even an administrator.
const rules = "# made by " + maker + "\nhost " + Database + " " + User + " 127.0.0.1/32 scram-sha-256\n"

// settings are those that the server is made with. What it says of statements stays out of its log: they have what agents wrote.
const settings = `
# made by ` + maker + `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
password_encryption = 'scram-sha-256'
log_checkpoints = off
log_error_verbosity = terse
log_min_error_statement = panic
include = 'port.conf'
`

// build makes the server's files where there are none: beside their place, and then there in one step.
func (f Folder) build(ctx context.Context, p Programs) error {
	if major, err := f.major(); err != nil || major > 0 {
		return err
	}
	fresh := filepath.Join(f.own(), "new")
	if err := os.RemoveAll(fresh); err != nil { // of one that was killed
		return &Error{Place, err, "name another folder"}
	}
	if err := os.MkdirAll(f.own(), 0o700); err != nil {
		return &Error{Place, err, "name another folder"}
	}
	if err := HandOver(f.own()); err != nil {
		return &Error{Place, err, "name another folder"}
	}
	password, err := f.newPassword()
	if err != nil {
		return err
	}
	err = f.call(ctx, "", p.Path("initdb"), "-D", fresh, "-U", "postgres", "--auth=reject", "--no-locale", "-E", "UTF8", "--data-checksums")
	if err != nil {
		return err
	}
	if err := errors.Join(
		f.put(ctx, ">>", filepath.Join(fresh, "postgresql.conf"), settings),
		f.put(ctx, ">", filepath.Join(fresh, "pg_hba.conf"), rules), f.put(ctx, ">", filepath.Join(fresh, portFile), ""),
	); err != nil {
		return err
	}
	// The server is asked without a network, before it has one.
	statements := "CREATE ROLE " + User + " LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD '" + password + "';\n" +
		"CREATE DATABASE " + Database + " OWNER " + User + ";\n" +
		"REVOKE ALL ON DATABASE " + Database + " FROM PUBLIC;\n"
	err = f.call(ctx, statements, p.Path("postgres"), "--single", "-D", fresh, "-c", "exit_on_error=on", "-c", "log_min_error_statement=panic", "postgres")
	if err != nil {
		return err
	}
	if err := os.Rename(fresh, f.data()); err != nil {
		return &Error{Place, err, "look at the disk, or name another folder"}
	}
	return nil
}

// portFile says where the server listens, in the folder of its data.
const portFile = "port.conf"

// listenAt says in the server's files where it listens.
func (f Folder) listenAt(ctx context.Context, port int) error {
	return f.put(ctx, ">", filepath.Join(f.data(), portFile), "port = "+strconv.Itoa(port)+"\n")
}

// put writes one of the server's files, by its own user: the folder is that user's, and a link in it leads nowhere else than that user may go.
func (f Folder) put(ctx context.Context, how, path, text string) error {
	return f.call(ctx, text, "/bin/sh", "-c", "umask 077; exec cat "+how+` "$0"`, path)
}

// call calls a program, as somebody whom PostgreSQL's do not refuse.
func (f Folder) call(ctx context.Context, input, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.SysProcAttr, cmd.Stdin = f.own(), As(), strings.NewReader(input)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"} // none of what else may tell it where a server is
	cmd.WaitDelay = waitDelay
	out, err := cmd.CombinedOutput()
	if err != nil {
		return &Error{
			Failed, fmt.Errorf("%s has failed (%w): %s", filepath.Base(name), err, last(string(out))), "the server's log, where it came to one, is " + f.Log(),
		}
	}
	return nil
}

// last is the end of what a program said.
func last(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-3):], " | ")
}
