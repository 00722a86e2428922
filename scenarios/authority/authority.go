// Package authority makes certificates for tests: an Authority vouches for servers, as an operator's own does.
package authority

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Authority vouches for whomever it is told to.
type Authority struct {
	PEM  []byte // its certificate
	leaf *x509.Certificate
	key  *ecdsa.PrivateKey
}

// New makes one.
func New(t testing.TB) *Authority {
	t.Helper()
	a := new(Authority)
	var err error
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "an authority of a test"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	if err == nil {
		a.leaf, err = x509.ParseCertificate(der)
	}
	if err != nil {
		t.Fatal(err)
	}
	a.PEM = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return a
}

// Pool is it alone.
func (a *Authority) Pool() (*x509.CertPool, error) {
	p := x509.NewCertPool()
	p.AddCert(a.leaf)
	return p, nil
}

// Vouch makes a certificate of a name or an address, which is good until then, and its key.
func (a *Authority) Vouch(t testing.TB, name string, until time.Time) (certificate, key []byte) {
	t.Helper()
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: serial, NotBefore: until.Add(-24 * time.Hour), NotAfter: until, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.leaf, &own.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	text, err := x509.MarshalPKCS8PrivateKey(own)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: text})
}

// Pair is Vouch for a server in this process.
func (a *Authority) Pair(t testing.TB, name string, until time.Time) tls.Certificate {
	t.Helper()
	pair, err := tls.X509KeyPair(a.Vouch(t, name, until))
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// Files writes Vouch into files of a folder, in the place of those that are there.
func (a *Authority) Files(t testing.TB, dir, name string) (certificate, key string) {
	t.Helper()
	c, k := a.Vouch(t, name, time.Now().Add(time.Hour))
	certificate, key = filepath.Join(dir, "server.pem"), filepath.Join(dir, "server.key")
	for path, text := range map[string][]byte{certificate: c, key: k} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}
