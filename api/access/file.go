package access

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// tokensFile is tokens.json.
type tokensFile struct {
	Version int         `json:"version"`
	Tokens  []tokenLine `json:"tokens"`
	// A build that knows no logins leaves them out, so that none is valid there: it would not know with which token each must be void.
	Logins []loginLine `json:"logins,omitempty"`
}

type tokenLine struct {
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Scope   Scope      `json:"scope"`
	Owner   string     `json:"owner,omitempty"`
	SHA256  string     `json:"sha256"` // of the secret, in hexadecimal
	Created time.Time  `json:"created"`
	Expires *time.Time `json:"expires,omitempty"`
}

// loginLine has no scope: a login has that of the token that asked for it.
type loginLine struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	AskedBy string    `json:"askedBy"`
	SHA256  string    `json:"sha256"` // of the secret, in hexadecimal
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
}

const tokensVersion = 1

// maxTokensFile bounds the file, in bytes: MaxTokens and MaxLogins of the longest.
const maxTokensFile = 4 << 20

// Open reads the tokens of a file, which need not be there. A file that others may read, or that is not understood, is refused: a guess could
// give a token a wider scope than it has.
func Open(path string) (*Tokens, error) {
	t := NewTokens()
	t.path = path
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, nil
	case err != nil:
		return nil, fmt.Errorf("tokens: %w", err)
	case info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("tokens: %s has mode %04o: others than its owner may use it: chmod 0600 %s", path, info.Mode().Perm(), path)
	case info.Size() > maxTokensFile:
		return nil, fmt.Errorf("tokens: %s is too long", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	var f tokensFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("tokens: %s is damaged: mend it, or move it away and make the tokens anew: %w", path, err)
	}
	if f.Version != tokensVersion {
		return nil, fmt.Errorf("tokens: %s is of version %d: it is another program's", path, f.Version)
	}
	for i := range f.Tokens {
		if err := t.read(&f.Tokens[i]); err != nil {
			return nil, fmt.Errorf("tokens: %s is damaged: mend it, or move it away and make the tokens anew: token %d: %w", path, i, err)
		}
	}
	for i := range f.Logins {
		if err := t.readLogin(&f.Logins[i]); err != nil {
			return nil, fmt.Errorf("tokens: %s is damaged: mend it, or move it away and make the tokens anew: login %d: %w", path, i, err)
		}
	}
	return t, nil
}

func (t *Tokens) read(l *tokenLine) error {
	k := Token{ID: l.ID, Name: l.Name, Scope: l.Scope, Owner: l.Owner, Created: l.Created}
	if err := k.check(time.Time{}); err != nil {
		return err
	}
	if l.Expires != nil {
		k.Expires = *l.Expires
	}
	sum, err := t.readSum(k.ID, l.SHA256)
	if err != nil {
		return err
	}
	h := holds(context.Background(), k, sum, &Principal{ID: k.ID, Name: k.Name, Scope: k.Scope, Owner: k.Owner})
	if !h.void() {
		t.held[k.ID] = h
	}
	return nil
}

// readSum reads the hash of a token that is not known yet.
func (t *Tokens) readSum(id, text string) (sum [sha256.Size]byte, err error) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != sha256.Size || id == "" || t.held[id] != nil {
		return sum, errors.New("it has no id or no hash of its own")
	}
	return [sha256.Size]byte(b), nil
}

// readLogin reads a login, after the tokens. One whose token is no longer there is as void as that.
func (t *Tokens) readLogin(l *loginLine) error {
	sum, err := t.readSum(l.ID, l.SHA256)
	switch {
	case err != nil:
		return err
	case !fits(nameForm, l.Name):
		return errNoName
	case l.Expires.Sub(l.Created) > LoginLife:
		return errors.New("it is valid for too long")
	}
	by := Root
	if l.AskedBy != Root.ID {
		asker := t.held[l.AskedBy]
		if asker == nil || asker.login() {
			return nil
		}
		by = asker.principal
	}
	h := logs(by, Token{ID: l.ID, Name: l.Name, Created: l.Created, Expires: l.Expires}, sum)
	if !h.void() {
		t.held[l.ID] = h
	}
	return nil
}

// save replaces the file by one of all valid tokens but one, and of one more, and forgets the others; nil: none. With change held.
func (t *Tokens) save(more, but *held) error {
	if t.path != "" {
		if err := t.write(more, but); err != nil {
			return notKept(err)
		}
	}
	t.dropVoid()
	return nil
}

// notKept tells a client that the disk refuses the file of the tokens, without its path.
func notKept(err error) error {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return fmt.Errorf("tokens: %w", err)
	}
	return &protocol.Problem{
		Code: protocol.CodeReadOnly, Detail: "The file of the tokens cannot be written: " + errno.Error() + ".",
		Hint: "Free space on the disk of the daemon's data folder, or make the folder writable, and ask again.",
	}
}

func (t *Tokens) write(more, but *held) error {
	f := tokensFile{Version: tokensVersion, Tokens: []tokenLine{}}
	add := func(h *held) {
		sum := hex.EncodeToString(h.sum[:])
		if h.login() {
			f.Logins = append(f.Logins, loginLine{h.ID, h.Name, h.AskedBy, sum, h.Created, h.Expires})
			return
		}
		l := tokenLine{ID: h.ID, Name: h.Name, Scope: h.Scope, Owner: h.Owner, SHA256: sum, Created: h.Created}
		if !h.Expires.IsZero() {
			l.Expires = &h.Expires
		}
		f.Tokens = append(f.Tokens, l)
	}
	t.mu.RLock()
	for _, h := range t.held {
		if h != but && h.made() && !h.void() {
			add(h)
		}
	}
	t.mu.RUnlock()
	if more != nil {
		add(more)
	}
	slices.SortFunc(f.Tokens, func(a, b tokenLine) int { return a.Created.Compare(b.Created) })
	slices.SortFunc(f.Logins, func(a, b loginLine) int { return a.Created.Compare(b.Created) })
	text, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	return replace(t.path, append(text, '\n'))
}

// Tidy removes what a daemon that was killed while it wrote has left beside the file. No other daemon may work on the folder.
func (t *Tokens) Tidy() {
	if t.path != "" {
		_ = os.Remove(t.path + ".new") // mostly there is none
	}
}

// replace writes a file as a whole, or leaves the old one; the file is on the disk when it returns. A temporary file that a killed daemon has left
// is written over.
func replace(path string, text []byte) error {
	tmp, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
