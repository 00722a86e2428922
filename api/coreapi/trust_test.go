package coreapi_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/core/remote"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	objectsmemory "github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/api/coreapi"
	"github.com/ringmaster-agents/ringmaster/scenarios/authority"
)

// TestServersAreProved: a node asks a server that somebody vouches for whom it trusts, and no other; why it does not is said in words, with what mends it.
//
// Proves: I16.3/tls
func TestServersAreProved(t *testing.T) {
	ours, theirs := authority.New(t), authority.New(t)
	soon, past := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	place, bucket := new(memory.Place), new(objectsmemory.Place)
	// at starts a server with a certificate, and gives its address; without one it speaks no TLS.
	at := func(pair *tls.Certificate) string {
		l := listen(t)
		address := "https://" + l.Addr().String()
		if pair != nil {
			l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{*pair}, MinVersion: tls.VersionTLS12})
		}
		serve(t, l, coreapi.Config{
			Connect: func(context.Context) (core.Core, error) { return place.Core(), nil },
			Objects: func() (objects.Store, error) { return bucket.Store(), nil },
		})
		return address
	}
	made := func(by *authority.Authority, name string, until time.Time) string {
		pair := by.Pair(t, name, until)
		return at(&pair)
	}
	right := made(ours, "127.0.0.1", soon)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(right, "https://"))
	must(t, err)
	for what, c := range map[string]struct {
		address string
		by      func() (*x509.CertPool, error)
		words   string // "": it is asked
		hint    string
	}{
		"its own authority":    {right, ours.Pool, "", ""},
		"the system's":         {right, nil, "of an authority that this node does not trust", "--core-ca-file"},
		"another authority":    {right, theirs.Pool, "of an authority that this node does not trust", "--core-ca-file"},
		"another name":         {"https://localhost:" + port, ours.Pool, "of another name than its address", "--core"},
		"another address":      {made(ours, "core.example.org", soon), ours.Pool, "of another name than its address", "--core"},
		"expired":              {made(ours, "127.0.0.1", past), ours.Pool, "has expired", "SIGHUP"},
		"not yet":              {made(ours, "127.0.0.1", soon.Add(48*time.Hour)), ours.Pool, "is not valid yet", "clock"},
		"no TLS":               {at(nil), ours.Pool, "speaks no TLS", "--tls-cert"},
		"a file that has gone": {right, func() (*x509.CertPool, error) { return nil, errors.New("it has gone") }, "cannot be read", "--core-ca-file"},
	} {
		t.Run(strings.ReplaceAll(what, " ", "_"), func(t *testing.T) {
			options := remote.Options{Token: token, Authorities: c.by}
			w, err := remote.Open(t.Context(), c.address, options)
			store := remote.Objects(c.address, options)
			defer store.Close()
			_, failed := store.Put(t.Context(), objects.ProbeKey("tls"), objects.Bytes([]byte("x")))
			if c.words == "" {
				must(t, errors.Join(err, failed))
				w.Close()
				return
			}
			var access *core.AccessError
			if !errors.As(err, &access) || !access.IsHere() || !strings.Contains(access.Words(), c.words) || !strings.Contains(access.Hint, c.hint) {
				t.Errorf("it is %v", err)
			}
			var refused *objects.AccessError
			if !errors.As(failed, &refused) || !strings.Contains(refused.Err.Error(), c.words) || refused.Hint != access.Hint {
				t.Errorf("of an object it is %v", failed)
			}
		})
	}
	if _, err := remote.Open(t.Context(), "http://127.0.0.1:"+port, remote.Options{Token: token}); err == nil || !strings.Contains(err.Error(), "https") {
		t.Errorf("an http address of a server with TLS: %v", err)
	}
}

// TestAuthoritiesChange: a node with a way to a server believes other authorities without another start.
//
// Proves: I16.3/tls
func TestAuthoritiesChange(t *testing.T) {
	ours, theirs := authority.New(t), authority.New(t)
	l := listen(t)
	address := "https://" + l.Addr().String()
	pair := ours.Pair(t, "127.0.0.1", time.Now().Add(time.Hour))
	serve(t, tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}), coreapi.Config{
		Connect: func(context.Context) (core.Core, error) { return new(memory.Place).Core(), nil },
		Objects: func() (objects.Store, error) { return new(objectsmemory.Place).Store(), nil },
	})
	believed := theirs
	s := remote.Objects(address, remote.Options{Token: token, Authorities: func() (*x509.CertPool, error) { return believed.Pool() }})
	defer s.Close()
	if _, err := s.Stat(t.Context(), objects.ProbeKey("tls")); !errors.As(err, new(*objects.AccessError)) {
		t.Fatalf("another authority: %v", err)
	}
	believed = ours
	if _, err := s.Stat(t.Context(), objects.ProbeKey("tls")); !errors.As(err, new(*objects.NotFoundError)) {
		t.Errorf("its own: %v", err)
	}
}
