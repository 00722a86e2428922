package session

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Images is the folder of a session's prompt images, one file each, named by content. Files are safe from a loss of power
// before the prompt that names them is accepted, and never changed.
type Images struct {
	Dir   string  // in the session's folder, which is there
	Files disk.FS // nil: the operating system's
}

func (i Images) files() disk.FS {
	if i.Files == nil {
		return disk.OS()
	}
	return i.Files
}

// Put stores an image and returns its reference for protocol.Prompt, and whether it was not there before. What the disk refuses is
// a *protocol.Problem.
func (i Images) Put(mediaType string, data []byte) (ref string, isNew bool, err error) {
	sum := sha256.Sum256(data)
	name := hex.EncodeToString(sum[:])
	path := filepath.Join(i.Dir, name)
	if err = i.there(path); errors.Is(err, fs.ErrNotExist) {
		err = i.write(path, data)
		isNew = err == nil
	}
	// The folders are synced also for an image that is there: the call that wrote it may not have come to this.
	for _, dir := range []string{i.Dir, filepath.Dir(i.Dir)} {
		if err == nil {
			err = i.files().SyncDir(dir)
		}
	}
	ref = "sha256:" + name + ";" + mediaType
	if err != nil {
		return ref, isNew, notStored(err)
	}
	return ref, isNew, nil
}

// Remove removes images that were new and that no prompt names. An image that the disk does not remove stays, and does no harm.
func (i Images) Remove(refs []string) {
	for _, ref := range refs {
		digest, _, _ := strings.Cut(strings.TrimPrefix(ref, "sha256:"), ";")
		_ = i.files().Remove(filepath.Join(i.Dir, digest))
	}
}

// there returns fs.ErrNotExist where the image is not there, or not as it was written: then Put stores it anew.
func (i Images) there(path string) error {
	f, err := i.Open(filepath.Base(path))
	if errors.Is(err, ErrImageDamaged) {
		return fs.ErrNotExist
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// write makes a file that is whole or not there.
func (i Images) write(path string, data []byte) error {
	if err := i.files().Mkdir(i.Dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	fresh := filepath.Join(i.Dir, ".new-"+rand.Text()) // two calls may store the same image at once
	f, err := i.files().Create(fresh)
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = i.files().Rename(fresh, path)
	}
	if err != nil {
		_ = i.files().Remove(fresh) // a file that stays does no harm
	}
	return err
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

// ErrImageDamaged says that a file is not the image that its name says.
var ErrImageDamaged = errors.New("the image is not as it was written")

// Open reads an image by its hexadecimal digest; the bytes that are there have it, else the error is ErrImageDamaged.
func (i Images) Open(digest string) (disk.Reader, error) {
	if len(digest) != 64 || strings.Trim(digest, "0123456789abcdef") != "" {
		return nil, fs.ErrNotExist
	}
	f, err := i.files().Open(filepath.Join(i.Dir, digest))
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	if _, err = io.Copy(sum, f); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil && hex.EncodeToString(sum.Sum(nil)) != digest {
		err = ErrImageDamaged
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
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
