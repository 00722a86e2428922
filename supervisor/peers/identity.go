package peers

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io/fs"
	"math/big"
	"os"
	"time"
)

// Identity is what a node proves to its peers that it is itself.
type Identity struct {
	Key         string // as Core has it: the SHA-256 of the public key, in hexadecimal digits
	certificate tls.Certificate
}

// KeyError says why the file of an identity cannot be used.
type KeyError struct {
	Path string
	Err  error
	Fix  string
}

func (e *KeyError) Error() string { return "key for peers: " + e.Path + ": " + e.Err.Error() }
func (e *KeyError) Unwrap() error { return e.Err }

// Hint is what mends it.
func (e *KeyError) Hint() string { return e.Fix }

// anew is the way out where a key cannot be read: others learn the new one from Core.
const anew = "Remove the file: the node makes another key, and tells its peers of it by Core."

var errOpen = errors.New("others than its owner may read or write it")

// Load reads the identity of a file, which is made where it is not there: put writes one that is there as a whole or not at all, for its owner alone. The
// caller holds the lock of the data folder.
func Load(path string, put func(path string, text []byte) error) (*Identity, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := create(path, put); err != nil {
			return nil, &KeyError{path, err, "Make the data folder writable, and make room on its disk."}
		}
	case err != nil:
		return nil, &KeyError{path, err, "Let the daemon's user read it."}
	case info.Mode().Perm()&0o077 != 0:
		return nil, &KeyError{path, errOpen, "chmod 600 " + path + "; " + "where somebody may have read it, remove it: the node makes another key."}
	}
	pair, err := tls.LoadX509KeyPair(path, path)
	if err != nil {
		return nil, &KeyError{path, err, anew}
	}
	return &Identity{Key: keyOf(pair.Leaf), certificate: pair}, nil
}

// create makes a key and its certificate. Nobody looks at what the certificate says: its key alone counts, and for as long as Core has it.
func create(path string, put func(path string, text []byte) error) error {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ringmaster node"},
		NotBefore: time.Unix(0, 0), NotAfter: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		return err
	}
	key, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	text := append(
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})...)
	return put(path, text)
}

func keyOf(c *x509.Certificate) string {
	sum := sha256.Sum256(c.RawSubjectPublicKeyInfo)
	return hex.EncodeToString(sum[:])
}

// KeyOf is the key that the other end of a connection has proved to have; "": it has proved none.
func KeyOf(s *tls.ConnectionState) string {
	if s == nil || len(s.PeerCertificates) == 0 {
		return ""
	}
	return keyOf(s.PeerCertificates[0])
}

// Server is the TLS of a listener for peers. Whoever has a key of its own comes in; whose key that is the listener asks for each request, and answers in its
// own words.
func (i *Identity) Server() *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{i.certificate}, ClientAuth: tls.RequireAnyClientCert, MinVersion: tls.VersionTLS13,
		NextProtos: []string{"http/1.1"}, SessionTicketsDisabled: true,
	}
}

var errOther = errors.New("the node presents another key than Core has of it")

// client is the TLS of a connection to the node that has a key, and to no other.
func (i *Identity) client(key string) *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{i.certificate}, MinVersion: tls.VersionTLS13, NextProtos: []string{"http/1.1"},
		InsecureSkipVerify: true, //nolint:gosec // there is no authority: the key itself is compared below
		VerifyConnection: func(s tls.ConnectionState) error {
			if got := KeyOf(&s); got == "" || got != key {
				return errOther
			}
			return nil
		},
	}
}
