package session

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Images is the folder of a session's prompt images, one file each, named by content. Files are written before the prompt
// that names them is accepted, and never changed.
type Images struct{ Dir string }

// Put stores an image and returns its reference for protocol.Prompt. What the disk refuses is a *protocol.Problem.
func (i Images) Put(mediaType string, data []byte) (string, error) {
	sum := sha256.Sum256(data)
	name := hex.EncodeToString(sum[:])
	ref := "sha256:" + name + ";" + mediaType
	path := filepath.Join(i.Dir, name)
	if _, err := os.Stat(path); err == nil {
		return ref, nil
	}
	if err := os.MkdirAll(i.Dir, 0o700); err != nil {
		return "", notStored(err)
	}
	f, err := os.CreateTemp(i.Dir, ".new-*")
	if err != nil {
		return "", notStored(err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // nobody looks at what is left
		return "", notStored(err)
	}
	return ref, nil
}

// notStored tells a client what the disk said, without the path.
func notStored(err error) error {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return fmt.Errorf("store image: %w", err)
	}
	return &protocol.Problem{
		Code: protocol.CodeReadOnly, Detail: "An image of the prompt cannot be stored: " + errno.Error() + ".",
		Hint: "Free space on the disk of the daemon's data folder, or make the folder writable, and send the prompt again.",
	}
}

// Open reads an image by its hexadecimal digest.
func (i Images) Open(digest string) (*os.File, error) {
	if len(digest) != 64 || strings.Trim(digest, "0123456789abcdef") != "" {
		return nil, fs.ErrNotExist
	}
	return os.Open(filepath.Join(i.Dir, digest))
}

// Load fills in what a reference names.
func (i Images) Load(image *adapters.Image) error {
	digest, mediaType, ok := strings.Cut(strings.TrimPrefix(image.Ref, "sha256:"), ";")
	if !ok {
		return fmt.Errorf("load image: malformed reference")
	}
	f, err := i.Open(digest)
	if err != nil {
		return fmt.Errorf("load image: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("load image: %w", err)
	}
	data := make([]byte, info.Size())
	if _, err := f.ReadAt(data, 0); err != nil && len(data) > 0 {
		return fmt.Errorf("load image: %w", err)
	}
	image.MediaType, image.Data = mediaType, data
	return nil
}
