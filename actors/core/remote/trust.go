package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// secured makes connections to servers for which somebody vouches.
func secured(dialer *net.Dialer, authorities func() (*x509.CertPool, error)) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		cfg := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
		if authorities != nil {
			var err error
			if cfg.RootCAs, err = authorities(); err != nil {
				return nil, &ownError{err}
			}
		}
		return (&tls.Dialer{NetDialer: dialer, Config: cfg}).DialContext(ctx, network, address) // the dialer's time is for the handshake, too
	}
}

// ownError says that a file of this node gives nothing to reach a server with.
type ownError struct{ err error }

func (e *ownError) Error() string {
	var h interface{ Hint() string }
	if errors.As(e.err, &h) {
		return fmt.Sprintf("%v (%s)", e.err, h.Hint())
	}
	return e.err.Error()
}

func (e *ownError) Unwrap() error { return e.err }

const (
	hintAuthority = "name the file with the certificate of its authority with --core-ca-file, " +
		"or give `ringmaster core serve` a certificate whose authority the system knows"
	hintName  = "name the server with --core as its certificate does, or give `ringmaster core serve` a certificate of that name or address"
	hintTime  = "give `ringmaster core serve` a new certificate, and send it SIGHUP; see to the clock of this machine, too"
	hintOther = "see to the certificate of `ringmaster core serve` (--tls-cert), and to those who vouch for it"
	hintNoTLS = "give `ringmaster core serve` a certificate (--tls-cert, --tls-key), or name the port of a proxy that has one"
	hintFiles = "see to the files that --core-token-file and --core-ca-file name"
)

// refusal is why nothing is asked of a server, until somebody has mended that; nil: it is something else.
func refusal(err error) (why *core.ReasonError, hint string) {
	var own *ownError
	var record tls.RecordHeaderError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	no := func(words, hint string) (*core.ReasonError, string) {
		return &core.ReasonError{Words: words, Err: err}, hint
	}
	switch {
	case errors.As(err, &own):
		return no("what this node needs to reach Core cannot be read", hintFiles)
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return no("what answers there speaks no TLS", hintNoTLS)
	case !errors.As(err, &certificate):
		return nil, ""
	case errors.As(err, &authority):
		return no("the server's certificate is of an authority that this node does not trust", hintAuthority)
	case errors.As(err, &name):
		return no("the server's certificate is of another name than its address", hintName)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return no("the server's certificate has expired, or is not valid yet", hintTime)
	}
	return no("the server's certificate cannot be used", hintOther)
}
