package s3

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/minio/minio-go/v7/pkg/credentials"
)

// Keys say who asks. They are in no URL, no error and no log: however they are printed, the secret is left out.
type Keys struct {
	ID      string
	Secret  string
	Session string // of credentials that are lent; "": they are not
}

// Format writes which keys these are, and nothing that is secret.
func (k Keys) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "the keys of %q", k.ID) }

// MarshalText keeps the secret out of JSON.
func (k Keys) MarshalText() ([]byte, error) { return fmt.Append(nil, k), nil }

// The names of the parts of keys, in the environment; in a file in small letters.
const (
	idName      = "AWS_ACCESS_KEY_ID"
	secretName  = "AWS_SECRET_ACCESS_KEY" //nolint:gosec // the name of a secret is none
	sessionName = "AWS_SESSION_TOKEN"
)

// Environment reads keys from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, where it is there, AWS_SESSION_TOKEN.
func Environment() (Keys, error) {
	k := Keys{ID: os.Getenv(idName), Secret: os.Getenv(secretName), Session: os.Getenv(sessionName)}
	if k.ID == "" || k.Secret == "" {
		return Keys{}, fmt.Errorf("%s or %s is not set", idName, secretName)
	}
	return k, nil
}

// maxKeys is how many bytes a file of keys has at most.
const maxKeys = 16 << 10

// File reads keys from a file each time, so that they can change while a store is open. The file has a line NAME = VALUE for each part, where the names are
// those of the environment in any case; of a file with sections, as the tools of AWS write it, the first one counts.
func File(path string) func() (Keys, error) {
	return func() (Keys, error) {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return Keys{}, err
		case !info.Mode().IsRegular() || info.Size() > maxKeys:
			return Keys{}, fmt.Errorf("%s is no file of at most %d bytes", path, maxKeys)
		case info.Mode().Perm()&0o077 != 0:
			return Keys{}, fmt.Errorf("others than its owner may read or write %s: chmod 600 it", path)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return Keys{}, err
		}
		return parseKeys(b)
	}
}

func parseKeys(b []byte) (k Keys, err error) {
	sections := 0
	for lines := bufio.NewScanner(bytes.NewReader(b)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			sections++
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok || sections > 1 || strings.HasPrefix(line, "#") {
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.ToUpper(strings.TrimSpace(name)) {
		case idName:
			k.ID = value
		case secretName:
			k.Secret = value
		case sessionName:
			k.Session = value
		}
	}
	if k.ID == "" || k.Secret == "" {
		return Keys{}, errors.New("the file of keys has no " + strings.ToLower(idName) + " or no " + strings.ToLower(secretName))
	}
	return k, nil
}

// keysError says that there are no keys.
type keysError struct{ err error }

func (e *keysError) Error() string { return "no keys: " + e.err.Error() }
func (e *keysError) Unwrap() error { return e.err }

// provider asks for keys at each request.
type provider struct{ keys func() (Keys, error) }

func (p provider) Retrieve() (credentials.Value, error) {
	k, err := p.keys()
	if err != nil {
		return credentials.Value{}, &keysError{err}
	}
	return credentials.Value{AccessKeyID: k.ID, SecretAccessKey: k.Secret, SessionToken: k.Session, SignerType: credentials.SignatureV4}, nil
}

func (p provider) RetrieveWithCredContext(*credentials.CredContext) (credentials.Value, error) {
	return p.Retrieve()
}

func (p provider) IsExpired() bool { return true }
