package settings

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// Certificate reads what a listener proves with that it is itself; nil: it has no TLS.
func Certificate(certFile, keyFile string) (*tls.Certificate, error) {
	switch {
	case (certFile == "") != (keyFile == ""):
		return nil, exit.Usagef("--tls-cert and --tls-key belong together")
	case certFile == "":
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	return &pair, nil
}

const (
	mostAuthorities = 1 << 20 // bytes of their file
	wantAuthorities = "want the authority's certificate, as the lines from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----; " +
		"of several authorities one behind another"
)

// readAuthorities reads a file of certificates anew each time, so that they can be changed while a daemon runs.
func readAuthorities(flag, path string) (*x509.CertPool, error) {
	no := func(problem, hint string) (*x509.CertPool, error) {
		return nil, &Problem{"file of certificates " + path, problem, hint}
	}
	info, err := os.Stat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > mostAuthorities) {
		return no("it is no file of at most 1 MiB", wantAuthorities)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return no("it cannot be read: "+err.Error(), "make it, let this user read it, or name another with "+flag)
	}
	pool, isPEM, found := x509.NewCertPool(), false, false
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		isPEM = true
		switch {
		case strings.Contains(block.Type, "PRIVATE KEY"):
			return no("it has a private key, which nobody needs who only trusts", "name a file with the certificate alone")
		case block.Type != "CERTIFICATE":
			continue
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return no("a certificate in it is damaged: "+err.Error(), wantAuthorities)
		}
		pool.AddCert(certificate)
		found = true
	}
	switch {
	case !isPEM:
		return no("it is no PEM file", wantAuthorities)
	case !found:
		return no("there is no certificate in it", wantAuthorities)
	}
	return pool, nil
}
