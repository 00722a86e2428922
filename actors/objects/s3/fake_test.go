package s3_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/s3"
)

// These tests show what is sent, and what becomes of answers. How a server behaves they do not know: TestStore asks one.

const id = "0199a7a0-0000-7000-8000-000000000001"

var (
	picture = objects.Bytes([]byte("picture"))
	key     = objects.ImageKey(id, picture.SHA256)
)

// answering is a way to a server that answers so.
func answering(t *testing.T, answer http.HandlerFunc) objects.Asked {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return open(t, s3.Options{Bucket: "bucket", Endpoint: server.URL, Keys: keys("me", "very-secret")})
}

// says answers with S3's form of an error; code "" leaves the body out.
func says(status int, code string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		if code != "" && r.Method != http.MethodHead {
			fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>why</Message></Error>`, code)
		}
	}
}

// TestPutSends: one request, with the condition and a signature that has the digest, and without checksums behind the body.
func TestPutSends(t *testing.T) {
	var seen atomic.Int32
	s := answering(t, func(_ http.ResponseWriter, r *http.Request) {
		seen.Add(1)
		body, err := io.ReadAll(r.Body)
		h := r.Header
		if err != nil || string(body) != "picture" || r.Method != http.MethodPut || r.URL.Path != "/bucket/"+key || r.URL.RawQuery != "" || r.ContentLength != 7 ||
			h.Get("If-None-Match") != "*" || h.Get("X-Amz-Content-Sha256") != picture.SHA256.String() || h.Get("X-Amz-Trailer") != "" || h.Get("Content-Encoding") != "" ||
			!strings.Contains(h.Get("Authorization"), "Credential=me/") || !strings.Contains(h.Get("Authorization"), "/us-east-1/s3/") {
			t.Errorf("%s %s %q %v, %v", r.Method, r.URL, body, h, err)
		}
		for name, value := range h {
			if strings.Contains(strings.ToLower(name), "checksum") || strings.Contains(strings.Join(value, ""), "very-secret") {
				t.Errorf("it sends %s: %s", name, value)
			}
		}
	})
	if fresh, err := s.Put(t.Context(), key, picture); !fresh || err != nil || seen.Load() != 1 {
		t.Errorf("%v, %v, %d requests", fresh, err, seen.Load())
	}
}

// TestAnswers: which error becomes of what the server says.
func TestAnswers(t *testing.T) {
	away := func(err error) bool { is := new(*objects.AwayError); return errors.As(err, is) }
	full := func(err error) bool { is := new(*objects.FullError); return errors.As(err, is) }
	refused := func(err error) bool { is := new(*objects.RefusedError); return errors.As(err, is) }
	missing := func(err error) bool { is := new(*objects.NotFoundError); return errors.As(err, is) }
	access := func(hint string) func(error) bool {
		return func(err error) bool {
			is := new(*objects.AccessError)
			return errors.As(err, is) && strings.Contains((*is).Hint, hint)
		}
	}
	for _, c := range []struct {
		status int
		code   string
		get    func(error) bool // what becomes of a Get; Put and List are told the same but for what is not there
	}{
		{404, "NoSuchKey", missing},
		{404, "NoSuchBucket", access("make the bucket")},
		{404, "XAdminUserNotFound", access("AWS_ACCESS_KEY_ID")},
		{403, "AccessDenied", access("rights")},
		{403, "SignatureDoesNotMatch", access("AWS_SECRET_ACCESS_KEY")},
		{403, "InvalidAccessKeyId", access("AWS_ACCESS_KEY_ID")},
		{400, "ExpiredToken", access("expired")},
		{403, "RequestTimeTooSkewed", access("clock")},
		{403, "SomethingElse", access("rights")},
		{403, "", access("rights")},
		{401, "", access("rights")},
		{301, "PermanentRedirect", access("region=")},
		{400, "AuthorizationHeaderMalformed", access("region=")},
		{501, "NotImplemented", access("conditional puts")},
		{501, "", access("conditional puts")},
		{400, "InvalidDigest", refused},
		{400, "XAmzContentSHA256Mismatch", refused},
		{400, "EntityTooLarge", refused},
		{413, "", refused},
		{400, "RequestTimeout", away},
		{503, "SlowDown", away},
		{500, "InternalError", away},
		{502, "", away},
		{429, "", away},
		{507, "XMinioStorageFull", full},
		{403, "QuotaExceeded", full},
		{507, "", full},
	} {
		t.Run(fmt.Sprint(c.status, c.code), func(t *testing.T) {
			t.Parallel() // some are tried again, a moment later
			s := answering(t, says(c.status, c.code))
			_, err := s.Get(t.Context(), key, 0, objects.Whole)
			if !c.get(err) || strings.Contains(err.Error(), "very-secret") {
				t.Errorf("get, %d %s: %v", c.status, c.code, err)
			}
			if c.code == "NoSuchKey" {
				return
			}
			if fresh, err := s.Put(t.Context(), key, picture); !c.get(err) || fresh {
				t.Errorf("put, %d %s: %v", c.status, c.code, err)
			}
			if _, err := s.Stat(t.Context(), key); err == nil || c.status != 404 && c.code == "" && !c.get(err) {
				t.Errorf("stat, %d %s: %v", c.status, c.code, err)
			}
			for _, err := range s.List(t.Context(), "", "") {
				if !c.get(err) {
					t.Errorf("list, %d %s: %v", c.status, c.code, err)
				}
			}
		})
	}
}

// TestMissing: HEAD alone does not tell an object that is not there from a bucket that is not.
func TestMissing(t *testing.T) {
	missing := new(*objects.NotFoundError)
	s := answering(t, says(404, "NoSuchKey"))
	if _, err := s.Stat(t.Context(), key); !errors.As(err, missing) {
		t.Error(err)
	}
	if err := s.Delete(t.Context(), key); err != nil {
		t.Error(err)
	}
	access := new(*objects.AccessError)
	if _, err := answering(t, says(404, "NoSuchBucket")).Stat(t.Context(), key); !errors.As(err, access) {
		t.Error(err)
	}
	if err := answering(t, says(404, "NoSuchBucket")).Delete(t.Context(), key); !errors.As(err, access) {
		t.Error(err)
	}
}

// TestTriedAgain: a request whose answer was lost is sent again, and what it has done then is told as what is there.
func TestTriedAgain(t *testing.T) {
	for _, c := range []struct {
		first http.HandlerFunc
		then  int
		fresh bool
	}{
		{says(503, "SlowDown"), 200, true},
		{says(409, "ConditionalRequestConflict"), 200, true},
		{says(409, "ConditionalRequestConflict"), 412, false},
		{func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 412, false},
	} {
		var n atomic.Int32
		s := answering(t, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			if n.Add(1) == 1 {
				c.first(w, r)
				return
			}
			if string(body) != "picture" {
				t.Errorf("sent again: %q", body)
			}
			w.WriteHeader(c.then)
		})
		if fresh, err := s.Put(t.Context(), key, picture); fresh != c.fresh || err != nil || n.Load() != 2 {
			t.Errorf("%+v: %v, %v after %d requests", c, fresh, err, n.Load())
		}
	}
	away := new(*objects.AwayError)
	if fresh, err := answering(t, says(409, "OperationAborted")).Put(t.Context(), key, picture); fresh || !errors.As(err, away) {
		t.Error(fresh, err)
	}
}

// TestWrongBody: of a body that is another one, the server never has the last bytes.
func TestWrongBody(t *testing.T) {
	ended := make(chan error, 10)
	s := answering(t, func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		ended <- err
	})
	wrong := objects.Bytes([]byte(strings.Repeat("x", 300_000)))
	wrong.SHA256[0] ^= 1
	refused := new(*objects.RefusedError)
	if _, err := s.Put(t.Context(), key, wrong); !errors.As(err, refused) {
		t.Error(err)
	}
	if err := <-ended; err == nil {
		t.Error("the server has all of it")
	}
}

// TestRanges: a server that ignores them, or cuts an answer off, is found out.
func TestRanges(t *testing.T) {
	s := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
		fmt.Fprint(w, "0123456789")
	})
	access := new(*objects.AccessError)
	if _, err := s.Get(t.Context(), key, 3, 4); !errors.As(err, access) {
		t.Error(err)
	}
	s = answering(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
		w.Header().Set("Content-Length", "10")
		fmt.Fprint(w, "0123")
	})
	r, err := s.Get(t.Context(), key, 0, objects.Whole)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	away := new(*objects.AwayError)
	if b, err := io.ReadAll(r); string(b) != "0123" || !errors.As(err, away) {
		t.Errorf("%q, %v", b, err)
	}
}

// TestTLS: a server that nobody vouches for gets nothing.
func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(says(404, "NoSuchKey"))
	server.Config.ErrorLog = nil
	server.StartTLS()
	t.Cleanup(server.Close)
	o := s3.Options{Bucket: "bucket", Endpoint: server.URL, Keys: keys("me", "very-secret")}
	access := new(*objects.AccessError)
	if _, err := open(t, o).Stat(t.Context(), key); !errors.As(err, access) || !strings.Contains((*access).Hint, "certificate") {
		t.Error(err)
	}
	o.Roots = x509.NewCertPool()
	o.Roots.AddCert(server.Certificate())
	missing := new(*objects.NotFoundError)
	if _, err := open(t, o).Stat(t.Context(), key); !errors.As(err, missing) {
		t.Error(err)
	}
	plain := httptest.NewServer(says(404, "NoSuchKey"))
	t.Cleanup(plain.Close)
	o.Endpoint = strings.Replace(plain.URL, "http://", "https://", 1)
	if _, err := open(t, o).Stat(t.Context(), key); !errors.As(err, access) {
		t.Error(err)
	}
}

// TestCloseEnds: calls and readers that wait end when the store is closed.
func TestCloseEnds(t *testing.T) {
	arrived := make(chan struct{}, 1)
	s := answering(t, func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	})
	go func() {
		<-arrived
		s.Close()
	}()
	away := new(*objects.AwayError)
	if _, err := s.Stat(context.WithoutCancel(t.Context()), key); !errors.As(err, away) {
		t.Error(err)
	}
}

// slow is a body whose second piece takes until the call has returned, or long enough to see that it does not.
type slow struct {
	size     int64
	answer   chan struct{} // closed when the server may answer
	returned chan struct{} // closed when Put has
	read     chan struct{} // closed when the second piece is read
	late     bool
}

func (s *slow) ReadAt(p []byte, off int64) (int, error) {
	if off > 0 {
		select {
		case <-s.answer:
		default:
			close(s.answer)
			defer close(s.read)
			select {
			case <-s.returned:
				s.late = true
			case <-time.After(300 * time.Millisecond):
			}
		}
	}
	clear(p)
	return int(min(int64(len(p)), s.size-off)), nil
}

// TestEarlyAnswer: the server answers before it has the body; nobody reads it behind the end of the call.
func TestEarlyAnswer(t *testing.T) {
	b := &slow{size: 8 << 20, answer: make(chan struct{}), returned: make(chan struct{}), read: make(chan struct{})}
	s := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		<-b.answer
		w.WriteHeader(http.StatusForbidden)
		_ = http.NewResponseController(w).Flush()
	})
	access := new(*objects.AccessError)
	_, err := s.Put(t.Context(), key, objects.Body{ReaderAt: b, Size: b.size, SHA256: picture.SHA256})
	close(b.returned)
	if away := new(*objects.AwayError); !errors.As(err, access) && !errors.As(err, away) { // the connection may be cut before the answer is read
		t.Fatal(err)
	}
	if <-b.read; b.late {
		t.Error("the body is read behind the end of Put")
	}
}
