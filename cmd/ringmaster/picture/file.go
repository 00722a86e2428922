package picture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// MaxFile bounds a picture, in bytes; the daemon's own bound is the same.
const MaxFile = 10 << 20

// MaxPrompt is how many pictures a prompt takes; the daemon's own bound is the same.
const MaxPrompt = 8

// What is wrong with a file that is to be sent.
var (
	ErrLarge = errors.New("larger than 10 MiB")
	ErrType  = errors.New("no PNG, JPEG, GIF or WebP")
)

// Read reads a picture for a prompt. A path that begins with ~/ lies in the home folder.
func Read(path string) (resource.PromptImage, error) {
	if rest, is := strings.CutPrefix(path, "~/"); is {
		home, err := os.UserHomeDir()
		if err != nil {
			return resource.PromptImage{}, fmt.Errorf("%s: %w", path, err)
		}
		path = filepath.Join(home, rest)
	}
	f, _, err := open(path, 0)
	if err != nil {
		return resource.PromptImage{}, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return resource.PromptImage{}, err
	}
	if len(data) > MaxFile {
		return resource.PromptImage{}, fmt.Errorf("%s: %w", path, ErrLarge)
	}
	media := http.DetectContentType(data)
	if endings[media] == "" {
		return resource.PromptImage{}, fmt.Errorf("%s: %w", path, ErrType)
	}
	return resource.PromptImage{MediaType: media, Data: data}, nil
}

// open opens a file to read it, and says how large it is. Anything else than a file is refused on what was opened, because another program may put something
// there at any time; and it is opened without waiting, because a pipe that nobody writes to would wait for ever.
func open(path string, flags int) (f *os.File, size int64, err error) {
	if f, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY|flags, 0); err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w", path, ErrType)
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, info.Size(), nil
}

// same says that a file has these bytes, and no more. Agents write in the folders of pictures, and know the names: a link is followed nowhere, and no more is
// read than there should be.
func same(path string, data []byte) bool {
	f, size, err := open(path, syscall.O_NOFOLLOW)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	if size != int64(len(data)) {
		return false
	}
	there, err := io.ReadAll(io.LimitReader(f, size+1))
	return err == nil && bytes.Equal(there, data)
}

// Write writes a picture into a folder, under a name of its own, and gives its path. It replaces no file: where that name is taken by the same picture, it is
// there already, and else it is refused. Bytes that are not those of the reference are refused as well.
func Write(folder string, r Ref, from io.Reader) (path string, err error) {
	data, err := io.ReadAll(io.LimitReader(from, MaxFile+1))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	switch {
	case len(data) > MaxFile:
		return "", fmt.Errorf("the picture is %w", ErrLarge)
	case hex.EncodeToString(sum[:]) != r.Digest:
		return "", errors.New("the bytes are not those that the log names")
	case r.Known() && http.DetectContentType(data) != r.Media:
		return "", errors.New("the bytes are of another type than the log says")
	}
	path = filepath.Join(folder, r.file())
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		if same(path, data) {
			return path, nil
		}
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	return path, nil
}
