package datafolder_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client/discovery"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

func newFolder(t *testing.T) datafolder.Folder {
	t.Helper()
	f, err := datafolder.At(filepath.Join(t.TempDir(), "deep", "data"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Create(); err != nil {
		t.Fatal(err)
	}
	return f
}

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestFilesAreTheOwnersOnly(t *testing.T) {
	f := newFolder(t)
	if _, err := f.Token(); err != nil {
		t.Fatal(err)
	}
	if err := f.WriteAddress(datafolder.Address{HTTP: "http://127.0.0.1:1", PID: 1}); err != nil {
		t.Fatal(err)
	}
	if m := mode(t, f.Path); m != 0o700 {
		t.Errorf("the folder has mode %04o", m)
	}
	for _, name := range []string{"token", "address"} {
		if m := mode(t, filepath.Join(f.Path, name)); m != 0o600 {
			t.Errorf("%s has mode %04o", name, m)
		}
	}
	left, err := os.ReadDir(f.Path)
	if err != nil || len(left) != 2 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

func TestTokenIsMadeOnceAndKept(t *testing.T) {
	f := newFolder(t)
	first, err := f.Token()
	if err != nil || len(first) != 64 { // 256 bits in hexadecimal
		t.Fatalf("token %q, %v", first, err)
	}
	again, err := f.Token()
	if err != nil || again != first {
		t.Errorf("the second call gave %q, %v", again, err)
	}
	if other, err := newFolder(t).Token(); err != nil || other == first {
		t.Errorf("another folder has the token %q, %v", other, err)
	}
}

// A daemon that was killed while it wrote its files leaves a part of one beside them: the next one is not kept from work.
func TestWhatAKilledDaemonLeaves(t *testing.T) {
	f := newFolder(t)
	for _, name := range []string{"token.new", "address.new"} {
		if err := os.WriteFile(filepath.Join(f.Path, name), []byte("half of a longer text than what will be there"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	token, err := f.Token()
	if err != nil || len(token) != 64 {
		t.Errorf("token %q, %v", token, err)
	}
	if err := f.WriteAddress(datafolder.Address{PID: 1}); err != nil {
		t.Error(err)
	}
	if a, err := f.ReadAddress(); err != nil || a.PID != 1 {
		t.Errorf("address %+v, %v", a, err)
	}
	if left, err := os.ReadDir(f.Path); err != nil || len(left) != 2 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

// What is in the way of the folder is told with what to do about it.
func TestWhereNoFolderCanBe(t *testing.T) {
	var place *datafolder.PlaceError
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(file, "data")} {
		if err := (datafolder.Folder{Path: path}).Create(); !errors.As(err, &place) || place.Hint() == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestWhatOthersMayReadIsRefused(t *testing.T) {
	f := newFolder(t)
	if _, err := f.Token(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(f.TokenFile(), 0o644); err != nil {
		t.Fatal(err)
	}
	var open *discovery.ModeError
	if _, err := f.Token(); !errors.As(err, &open) || open.Hint() != "chmod 0600 "+f.TokenFile() {
		t.Errorf("a token for everybody: %v", err)
	}
	if err := os.Chmod(f.Path, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := f.Create(); !errors.As(err, &open) || open.Hint() != "chmod 0700 "+f.Path {
		t.Errorf("a folder for everybody: %v", err)
	}
}

func TestBadTokenFiles(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "blank": " \n", "two lines": "a\nb\n", "control": "a\x1b[31m\n", "long": strings.Repeat("a", 1000), "accent": "é",
	} {
		f := newFolder(t)
		if err := os.WriteFile(f.TokenFile(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if token, err := f.Token(); err == nil || !strings.Contains(err.Error(), "delete it") {
			t.Errorf("%s: token %q, %v", name, token, err)
		}
	}
}

func TestAddress(t *testing.T) {
	f := newFolder(t)
	if _, err := f.ReadAddress(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no daemon: %v", err)
	}
	want := datafolder.Address{HTTP: "http://127.0.0.1:7433", Socket: f.Socket(), PID: 42, Roots: []string{"/src"}}
	for range 2 { // a second daemon writes over what a killed one left
		if err := f.WriteAddress(want); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := f.ReadAddress(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for range 2 {
		if err := f.RemoveAddress(); err != nil {
			t.Error(err)
		}
	}
	if _, err := f.ReadAddress(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("removed: %v", err)
	}
	if err := os.WriteFile(filepath.Join(f.Path, "address"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.ReadAddress(); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("garbage: %v", err)
	}
}

// TestAddressOnAFullDisk: a daemon that finds no room says where it is in the space of the one before it, whether that one ended in order or was killed.
func TestAddressOnAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no device here is always full: ", err)
	}
	f := newFolder(t)
	full := func() {
		t.Helper()
		if err := os.Symlink("/dev/full", filepath.Join(f.Path, "address.new")); err != nil {
			t.Fatal(err)
		}
	}
	first := datafolder.Address{HTTP: "http://127.0.0.1:7433", Socket: f.Socket(), PID: 4242, Roots: []string{"/src"}}
	full()
	if err := f.WriteAddress(first); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("without an earlier one: %v", err)
	}
	if err := f.WriteAddress(first); err != nil {
		t.Fatal(err)
	}
	for name, before := range map[string]func() error{"killed": func() error { return nil }, "ended": f.RemoveAddress} {
		for _, next := range []datafolder.Address{{PID: 7}, {HTTP: "http://127.0.0.1:8080", Socket: f.Socket(), PID: 31337, Roots: []string{"/src", "/more"}}} {
			if err := before(); err != nil {
				t.Fatal(err)
			}
			full()
			if err := f.WriteAddress(next); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got, err := f.ReadAddress(); err != nil || !reflect.DeepEqual(got, next) {
				t.Errorf("%s: got %+v, %v", name, got, err)
			}
			if left, err := os.ReadDir(f.Path); err != nil || len(left) != 1 {
				t.Errorf("%s: left behind: %v, %v", name, left, err)
			}
		}
	}
}

func TestDefault(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	t.Setenv("XDG_STATE_HOME", "")
	t.Setenv(datafolder.EnvData, "")
	want := func(path string) {
		t.Helper()
		if f, err := datafolder.Default(); err != nil || f.Path != path {
			t.Errorf("got %q, %v; want %q", f.Path, err, path)
		}
	}
	want("/home/me/.local/state/ringmaster")
	t.Setenv("XDG_STATE_HOME", "relative") // the specification says to ignore it
	want("/home/me/.local/state/ringmaster")
	t.Setenv("XDG_STATE_HOME", "/state")
	want("/state/ringmaster")
	t.Setenv(datafolder.EnvData, "/data")
	want("/data")
}

// A token that can be guessed is none: the daemon and its clients refuse it.
func TestShortTokensAreRefused(t *testing.T) {
	for token, ok := range map[string]bool{"abc": false, strings.Repeat("a", 31): false, strings.Repeat("a", 32): true} {
		f := datafolder.Folder{Path: t.TempDir()}
		if err := os.WriteFile(f.TokenFile(), []byte(token+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Token(); (err == nil) != ok || ok && got != token {
			t.Errorf("%d characters: %q, %v", len(token), got, err)
		}
	}
}
