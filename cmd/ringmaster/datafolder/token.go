package datafolder

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/api/client/discovery"
)

const tokenBytes = 32 // 256 bits

// Token gives the daemon's bearer token, made at the first call. It stays the same over restarts, so that clients which
// hold it go on; to change it, delete the file and restart the daemon. The caller holds the folder's lock.
func (f Folder) Token() (string, error) {
	token, err := discovery.ReadToken(f.TokenFile())
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	secret := make([]byte, tokenBytes)
	_, _ = rand.Read(secret) // never fails
	token = hex.EncodeToString(secret)
	if err := Replace(f.TokenFile(), []byte(token+"\n")); err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	return token, nil
}
