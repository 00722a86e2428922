package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// errMissing is why there is no private server where PostgreSQL is not installed.
var errMissing = errors.New("no PostgreSQL server is installed (initdb and postgres, in PATH or /usr/lib/postgresql/*/bin)")

// programs is the folder of the newest installed server.
func programs() (string, error) {
	folders, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	slices.SortFunc(folders, func(a, b string) int { return version(b) - version(a) })
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if program, err := filepath.EvalSymlinks(initdb); err == nil {
			folders = append(folders, filepath.Dir(program))
		}
	}
	for _, folder := range folders {
		if isThere(folder, "initdb") && isThere(folder, "postgres") {
			if os.Geteuid() == 0 && stranger() == nil {
				return "", fmt.Errorf("%w that could run: it refuses root, and there is no user postgres or nobody", errMissing)
			}
			return folder, nil
		}
	}
	return "", errMissing
}

func version(folder string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(folder))) // 0 sorts last
	return n
}

func isThere(folder, name string) bool {
	_, err := os.Stat(filepath.Join(folder, name))
	return err == nil
}

// stranger is the user that the server runs as where this process is root's, which the server refuses.
func stranger() *syscall.Credential {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err1 == nil && err2 == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		}
	}
	return nil
}

// asServer has the server's processes in a group of their own, which a terminal's interrupt does not reach.
func asServer() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() == 0 {
		attr.Credential = stranger()
	}
	return attr
}

// handOver gives a folder to the user that the server runs as, and lets it pass through the folder for temporary files, which tests make for
// themselves alone.
func handOver(folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	above := filepath.Dir(folder)
	info, err := os.Stat(above)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&1 == 0 {
		if err := os.Chmod(above, info.Mode()|0o011); err != nil {
			return err
		}
	}
	who := stranger()
	return os.Chown(folder, int(who.Uid), int(who.Gid))
}
