package picture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var png = append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 100)...)

func refOf(data []byte, media string) Ref {
	sum := sha256.Sum256(data)
	return Ref{hex.EncodeToString(sum[:]), media}
}

// A reference is a digest and a type; anything else names no file.
func TestParse(t *testing.T) {
	digest := strings.Repeat("0a", 32)
	if r, is := Parse("sha256:" + digest + ";image/png"); !is || r.Digest != digest || r.Name() != "PNG 0a0a0a0a" || !r.Known() {
		t.Errorf("%+v, %v", r, is)
	}
	for _, text := range []string{"", "sha256:", "sha256:../../etc/passwd;image/png", "sha256:" + strings.Repeat("0A", 32) + ";image/png", "md5:" + digest, digest + ";image/png"} {
		if r, is := Parse(text); is {
			t.Errorf("%q is %+v", text, r)
		}
	}
	if r, _ := Parse("sha256:" + digest + ";\x1b[2Jimage/../png"); r.Known() || strings.ContainsAny(r.Name()+r.file(), "\x1b/") {
		t.Errorf("%q, %q", r.Name(), r.file())
	}
}

// What is dropped on a terminal is pasted as a path, quoted in one way or another. Text with a path in it is text.
func TestPath(t *testing.T) {
	for text, want := range map[string]string{
		"/tmp/shot.png": "/tmp/shot.png", " '/tmp/a shot.PNG'\n": "/tmp/a shot.PNG", `/tmp/a\ shot.jpeg`: "/tmp/a shot.jpeg", "file:///tmp/a.webp": "/tmp/a.webp", "~/a.gif": "~/a.gif",
		"look at /tmp/shot.png": "", "/tmp/shot.png\nand more": "", "/tmp/notes.txt": "", "shot.png": "", "": "", "/": "", "'": "",
	} {
		if got, is := Path(text); got != want || is != (want != "") {
			t.Errorf("%q is %q, %v", text, got, is)
		}
	}
}

// A file is sent as what its bytes say that it is.
func TestRead(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	t.Setenv("HOME", folder)
	write("a.txt", png)
	if p, err := Read("~/a.txt"); err != nil || p.MediaType != "image/png" || !bytes.Equal(p.Data, png) {
		t.Errorf("%v, %v", p.MediaType, err)
	}
	for path, want := range map[string]error{
		filepath.Join(folder, "none.png"):  fs.ErrNotExist,
		write("text.png", []byte("hello")): ErrType,
		folder:                             ErrType,
		write("large.png", append(png, make([]byte, MaxFile)...)): ErrLarge,
	} {
		if _, err := Read(path); !errors.Is(err, want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A picture is written once, over nothing, and only where its bytes are those that the log names.
func TestWrite(t *testing.T) {
	folder := t.TempDir()
	r := refOf(png, "image/png")
	for range 2 { // the second time it is there already
		path, err := Write(folder, r, bytes.NewReader(png))
		if err != nil || filepath.Dir(path) != folder || filepath.Ext(path) != ".png" {
			t.Fatalf("%s, %v", path, err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, png) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, r.file()), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(folder, r, bytes.NewReader(png)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("another file is replaced: %v", err)
	}
	empty := t.TempDir()
	html := []byte("<html><script>")
	for name, c := range map[string]struct {
		r    Ref
		data []byte
	}{
		"other bytes": {r, append([]byte{}, png[:50]...)},
		"other type":  {refOf(html, "image/png"), html},
		"too large":   {r, make([]byte, MaxFile+1)},
	} {
		if path, err := Write(empty, c.r, bytes.NewReader(c.data)); err == nil {
			t.Errorf("%s: %s", name, path)
		}
	}
	if list, err := os.ReadDir(empty); err != nil || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// What an agent puts under the name that a picture will have stops nobody, and nothing is read through it: the picture is refused.
func TestWriteWhereAnAgentWasFirst(t *testing.T) {
	r := refOf(png, "image/png")
	elsewhere := filepath.Join(t.TempDir(), "same")
	if err := os.WriteFile(elsewhere, png, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, put := range map[string]func(path string) error{
		"a pipe":           func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link":           func(path string) error { return os.Symlink(elsewhere, path) },
		"a link without":   func(path string) error { return os.Symlink(elsewhere+"2", path) },
		"a folder":         func(path string) error { return os.Mkdir(path, 0o700) },
		"a longer picture": func(path string) error { return os.WriteFile(path, append(bytes.Clone(png), 0), 0o600) },
	} {
		folder := t.TempDir()
		if err := put(filepath.Join(folder, r.file())); err != nil {
			t.Fatal(err)
		}
		if err := within(t, name, func() error { _, err := Write(folder, r, bytes.NewReader(png)); return err }); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What has become a pipe since somebody looked is not waited for.
func TestOpenPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "shot.png")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := within(t, "open", func() error { _, _, err := open(pipe, 0); return err }); !errors.Is(err, ErrType) {
		t.Error(err)
	}
}

// within gives the error of what must not wait for anybody.
func within(t *testing.T, what string, do func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(10 * time.Second):
		t.Fatalf("%s: it waits", what)
		return nil
	}
}
