package post

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func at() time.Time { return time.Unix(1_767_225_600, 0) }

func message(to string, secrets ...string) *Message {
	return &Message{ID: "s_1_2_budget", URL: to, Body: `{"type":"budget"}`, Secrets: secrets}
}

// TestSignature: the example of Standard Webhooks, and what is sent of it.
//
// Proves: I13.10/signature
func TestSignature(t *testing.T) {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	got := signatures([]string{secret}, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", `{"test": 2432232314}`)
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	made := map[string]bool{}
	for range 100 {
		s := NewSecret()
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(s, "whsec_"))
		if err != nil || len(key) != 32 || made[s] {
			t.Fatalf("%s: %v", s, err)
		}
		made[s] = true
	}
	seen := make(chan *http.Request, 1)
	r := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || string(body) != `{"type":"budget"}` {
			t.Errorf("%s %v", body, err)
		}
		seen <- r
		w.WriteHeader(http.StatusAccepted)
	}))
	defer r.Close()
	s := New("1.2", at, list(r.URL))
	defer s.Close()
	other := NewSecret()
	if o := s.Send(t.Context(), message(r.URL+"/in?k=v", secret, other)); o != (Outcome{Status: 202}) {
		t.Fatalf("%+v", o)
	}
	in := <-seen
	mac := func(secret string) string {
		key, _ := base64.StdEncoding.DecodeString(secret[len("whsec_"):])
		m := hmac.New(sha256.New, key)
		fmt.Fprintf(m, "s_1_2_budget.%d.%s", at().Unix(), `{"type":"budget"}`)
		return "v1," + base64.StdEncoding.EncodeToString(m.Sum(nil))
	}
	for name, want := range map[string]string{
		"Webhook-Id": "s_1_2_budget", "Webhook-Timestamp": "1767225600", "Webhook-Signature": mac(secret) + " " + mac(other), "Content-Type": "application/json",
		"User-Agent": "ringmaster/1.2",
	} {
		if got := in.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if in.Method != http.MethodPost || in.URL.String() != "/in?k=v" {
		t.Errorf("%s %s", in.Method, in.URL)
	}
}

// TestAnswers: what follows from a receiver's answer, of which nothing but the status is kept.
//
// Proves: I13.10/answers
func TestAnswers(t *testing.T) {
	followed := false
	r := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, "/followed", http.StatusTemporaryRedirect)
		case "/followed":
			followed = true
		case "/429":
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(http.StatusTooManyRequests)
		case "/503":
			w.Header().Set("Retry-After", at().Add(2*time.Hour).UTC().Format(http.TimeFormat))
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/never":
			w.Header().Set("Retry-After", "99999999999999")
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/500":
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(http.StatusInternalServerError)
		case "/410":
			w.WriteHeader(http.StatusGone)
		case "/endless": // more than is read
			for range 1 << 10 {
				if _, err := w.Write(make([]byte, 1<<10)); err != nil {
					return
				}
			}
			<-r.Context().Done()
		case "/headers":
			w.Header().Set("X", strings.Repeat("x", 64<<10))
		case "/cut":
			c, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = c.Close()
			}
		}
	}))
	defer r.Close()
	s := New("1", at, list(r.URL))
	defer s.Close()
	for path, want := range map[string]Outcome{
		"/":         {Status: 200},
		"/redirect": {Status: 307, Error: "redirect"},
		"/429":      {Status: 429, Error: "status", RetryAfter: 90 * time.Second},
		"/503":      {Status: 503, Error: "status", RetryAfter: 2 * time.Hour},
		"/never":    {Status: 503, Error: "status", RetryAfter: 365 * 24 * time.Hour},
		"/500":      {Status: 500, Error: "status"},
		"/410":      {Status: 410, Error: "status"},
		"/endless":  {Status: 200},
		"/headers":  {Error: "connection"},
		"/cut":      {Error: "connection"},
	} {
		if got := s.Send(t.Context(), message(r.URL+path, NewSecret())); got != want {
			t.Errorf("%s: %+v, want %+v", path, got, want)
		}
	}
	if followed {
		t.Error("a redirect was followed")
	}
}

// TestWays: where a connection does not come about, and that no proxy of the environment is used.
//
// Proves: I13.10/ways
func TestWays(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free := closed.Addr().String()
	_ = closed.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	secure := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // of the stranger
	secure.StartTLS()
	defer secure.Close()
	proxied := false
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { proxied = true }))
	defer proxy.Close()
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, proxy.URL)
	}
	roots := x509.NewCertPool()
	roots.AddCert(secure.Certificate())
	trusts, stranger := sender("1", at, list(secure.URL, strings.Replace(plain.URL, "http", "https", 1)), roots), New("1", at, list(secure.URL, "http://"+free, "https://no.such.host.invalid"))
	defer trusts.Close()
	defer stranger.Close()
	for _, row := range []struct {
		by   *Sender
		to   string
		want string
	}{
		{trusts, secure.URL, ""},
		{stranger, secure.URL, "tls"},
		{trusts, strings.Replace(plain.URL, "http", "https", 1), "tls"},
		{stranger, "http://" + free, "connection"},
		{stranger, "https://no.such.host.invalid/", "dns"},
	} {
		got := row.by.Send(t.Context(), message(row.to, NewSecret()))
		if got.Error != row.want {
			t.Errorf("%s: %+v, want %q", row.to, got, row.want)
		}
	}
	if proxied {
		t.Error("a proxy was used")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer slow.Close()
	patient := New("1", at, list(slow.URL))
	defer patient.Close()
	if o := patient.Send(ctx, message(slow.URL, NewSecret())); o.Error != "timeout" {
		t.Errorf("a slow receiver: %+v", o)
	}
}

// list allows some URLs.
func list(urls ...string) *Allow {
	a := new(Allow)
	if err := a.Set(urls); err != nil {
		panic(err)
	}
	return a
}

// TestDialLooksAtTheAddress: the address is looked at when it is dialled, whatever the name was looked up for before.
//
// Proves: I13.10/dial
func TestDialLooksAtTheAddress(t *testing.T) {
	r := httptest.NewServer(http.NotFoundHandler())
	defer r.Close()
	u, err := url.Parse(r.URL)
	if err != nil {
		t.Fatal(err)
	}
	_, on, _ := net.SplitHostPort(u.Host)
	for _, row := range []struct {
		entry, host string
		taken       bool
	}{
		{"http://127.0.0.1:" + on, "127.0.0.1", true},
		{"http://localhost:" + on, "localhost", true},
		{"https://hooks.example.org:" + on, "hooks.example.org", false},
		{"https://10.0.0.1:" + on, "10.0.0.1", false},
		{"https://hooks.example.org:" + on + " 10.0.0.0/8 127.0.0.1", "hooks.example.org", true},
		{"https://hooks.example.org:" + on + " 10.0.0.0/8", "hooks.example.org", false},
		{"https://hooks.example.org:1 127.0.0.1", "hooks.example.org", false},
		{"https://other.example.org:" + on + " 127.0.0.1", "hooks.example.org", false},
	} {
		d := dialer(list(row.entry), row.host, on)
		c, err := d.DialContext(t.Context(), "tcp", u.Host) // what a name server would say of the host
		if c != nil {
			_ = c.Close()
		}
		if (err == nil) != row.taken || err != nil && word(err) != "refused" {
			t.Errorf("%s: %v", row.entry, err)
		}
	}
}

// TestListThatChanges: a connection that was dialled by an earlier list is not used for the next delivery.
//
// Proves: I13.10/dial
func TestListThatChanges(t *testing.T) {
	r := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer r.Close()
	roots := x509.NewCertPool()
	roots.AddCert(r.Certificate())
	_, on, _ := net.SplitHostPort(r.Listener.Addr().String())
	to, allow := "https://localhost:"+on, list("https://localhost:"+on)
	s := sender("1", at, allow, roots)
	defer s.Close()
	s.client.Transport.(*http.Transport).TLSClientConfig.ServerName = "example.com" // as the certificate has it
	if o := s.Send(t.Context(), message(to, NewSecret())); o.Error != "" {
		t.Fatalf("%+v", o)
	}
	if err := allow.Set([]string{"https://other.example.org"}); err != nil {
		t.Fatal(err)
	}
	if o := s.Send(t.Context(), message(to, NewSecret())); o.Error != "refused" {
		t.Errorf("the list has changed, and the connection is used on: %+v", o)
	}
}
