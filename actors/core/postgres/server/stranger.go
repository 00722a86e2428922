package server

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// stranger is the user that the programs run as where this process is root's, which they refuse.
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

// As has the programs' processes in a group of their own, which a terminal's interrupt does not reach, and run by somebody whom they do not refuse.
func As() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() == 0 {
		attr.Credential = stranger()
	}
	return attr
}

// HandOver gives a folder to the user that the programs run as.
func HandOver(folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	who := stranger()
	return os.Chown(folder, int(who.Uid), int(who.Gid))
}

// owner is whose a file is.
func owner(info fs.FileInfo) uint32 {
	at, is := info.Sys().(*syscall.Stat_t)
	if !is {
		return uint32(os.Geteuid())
	}
	return at.Uid
}

// reachable says whether the user that the programs run as comes to a folder, by the modes of those above it.
func reachable(folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	who := stranger()
	for above := filepath.Dir(folder); ; above = filepath.Dir(above) {
		info, err := os.Stat(above)
		switch {
		case errors.Is(err, fs.ErrNotExist): // it is made so that it can
		case err != nil:
			return &Error{Place, err, "name another folder"}
		case info.Mode().Perm()&1 == 0 && owner(info) != who.Uid:
			return &Error{
				Place, errors.New("PostgreSQL's programs refuse root, and the user that they run as in its place may not pass through " + above),
				"name a folder elsewhere, such as one below /var/lib, or call this as another user",
			}
		}
		if above == filepath.Dir(above) {
			return nil
		}
	}
}
