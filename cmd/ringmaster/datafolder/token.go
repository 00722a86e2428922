package datafolder

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

const (
	tokenBytes = 32  // 256 bits
	maxToken   = 512 // bytes of a token file: somebody may have put a token of their own there
	minToken   = 32  // bytes: shorter ones can be guessed
)

// Token gives the daemon's bearer token, made at the first call. It stays the same over restarts, so that clients which
// hold it go on; to change it, delete the file and restart the daemon. The caller holds the folder's lock.
func (f Folder) Token() (string, error) {
	token, err := ReadToken(f.TokenFile())
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	secret := make([]byte, tokenBytes)
	_, _ = rand.Read(secret) // never fails
	token = hex.EncodeToString(secret)
	if err := replace(f.TokenFile(), []byte(token+"\n")); err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	return token, nil
}

// ReadToken reads a token file. One that others may read is refused with a *ModeError: its token is no secret.
func ReadToken(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	if m := info.Mode().Perm(); m&0o077 != 0 {
		return "", &ModeError{path, m, 0o600}
	}
	b := make([]byte, maxToken+1)
	n, err := file.Read(b)
	if n == 0 && err != nil {
		return "", fmt.Errorf("token file %s is empty: delete it and start the daemon again", path)
	}
	token := strings.TrimSpace(string(b[:n]))
	if n > maxToken || token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("token file %s does not hold a token: delete it and start the daemon again", path)
	}
	if len(token) < minToken {
		return "", fmt.Errorf("token file %s holds %d characters, which can be guessed: want %d or more, at random; or delete it and start the daemon again",
			path, len(token), minToken)
	}
	return token, nil
}
