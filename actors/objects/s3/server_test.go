package s3_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/objectstest"
	"github.com/ringmaster-agents/ringmaster/actors/objects/s3"
	"github.com/ringmaster-agents/ringmaster/actors/objects/s3/s3test"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// full is whether the tests run in their long form.
var full = os.Getenv("RINGMASTER_OBJECTS") == "full"

func keys(id, secret string) func() (s3.Keys, error) {
	return func() (s3.Keys, error) { return s3.Keys{ID: id, Secret: secret}, nil }
}

// options are those of a way to a server.
func options(server *s3test.Server) s3.Options {
	return s3.Options{
		Bucket: s3test.Bucket, Endpoint: server.Endpoint(), Region: s3test.Region, Keys: keys(s3test.ID, s3test.Secret),
	}
}

func open(t testing.TB, o s3.Options) objects.Asked {
	t.Helper()
	s, err := s3.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestStore holds the store on S3 against the contract, on a real server. Each case has a beginning of keys for itself.
func TestStore(t *testing.T) {
	server := s3test.Start(t)
	cases := 0
	objectstest.Run(t, func(testing.TB) *objectstest.Place {
		cases++
		o := options(server)
		o.Prefix = fmt.Sprintf("case/%d/", cases)
		return &objectstest.Place{Long: full, Way: func(t testing.TB) objects.Store { return open(t, o) }}
	})
}

// TestBucketInHost is the other way of addressing.
func TestBucketInHost(t *testing.T) {
	server := s3test.Start(t)
	var asked sync.Map
	objectstest.Run(t, func(testing.TB) *objectstest.Place {
		o := options(server)
		o.Addressing, o.Endpoint = s3.Host, "http://"+s3test.Domain
		o.Prefix = fmt.Sprintf("%p/", &o)
		o.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			asked.Store(address, true)
			return (&net.Dialer{}).DialContext(ctx, network, server.Address())
		}
		return &objectstest.Place{Way: func(t testing.TB) objects.Store { return open(t, o) }}
	})
	if _, ok := asked.Load(s3test.Bucket + "." + s3test.Domain + ":80"); !ok {
		t.Error("the host has no bucket in it")
	}
}

// TestCheck: a right server does all that is asked, and keys that are wrong are told as such.
func TestCheck(t *testing.T) {
	server := s3test.Start(t)
	findings, err := objects.Check(t.Context(), open(t, options(server)))
	if err != nil || objects.Unfit(findings) != nil || len(findings) != 7 {
		t.Fatalf("%+v, %v", findings, err)
	}
	for _, c := range []struct {
		change func(o *s3.Options)
		hint   string
	}{
		{func(o *s3.Options) { o.Keys = keys(s3test.ID, "x") }, "AWS_SECRET_ACCESS_KEY"},
		{func(o *s3.Options) { o.Keys = keys("nobody", s3test.Secret) }, "AWS_ACCESS_KEY_ID"},
		{func(o *s3.Options) { o.Bucket = "another" }, "make the bucket"},
		{func(o *s3.Options) { o.Region = "other" }, "region="},
		{func(o *s3.Options) { o.Keys = func() (s3.Keys, error) { return s3.Keys{}, errors.New("gone") } }, "AWS_ACCESS_KEY_ID"},
	} {
		o := options(server)
		c.change(&o)
		_, err := objects.Check(t.Context(), open(t, o))
		var access *objects.AccessError
		if !errors.As(err, &access) || !strings.Contains(access.Hint, c.hint) || strings.Contains(err.Error(), s3test.Secret) {
			t.Errorf("want a hint of %q: %v", c.hint, err)
		}
	}
}

// TestForeign: what else lies in the bucket is in no list.
func TestForeign(t *testing.T) {
	server := s3test.Start(t)
	for name, text := range map[string]string{"notes.txt": "x", "sessions/notes": "x"} {
		path := server.Folder() + "/" + name
		if err := os.MkdirAll(path[:strings.LastIndex(path, "/")], 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, options(server))
	b := objects.Bytes([]byte("x"))
	k := objects.ImageKey("0199a7a0-0000-7000-8000-000000000001", b.SHA256)
	if _, err := s.Put(t.Context(), k, b); err != nil {
		t.Fatal(err)
	}
	for info, err := range s.List(t.Context(), "", "") {
		if err != nil || info.Key != k {
			t.Errorf("the list has %s, %v", info.Key, err)
		}
	}
}

// TestKilled kills the server while objects are put: what it has acknowledged is there, and every object that is there is whole.
func TestKilled(t *testing.T) {
	server := s3test.Start(t)
	s := open(t, options(server))
	kills := 2
	if full {
		kills = 6
	}
	const writers = 6
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	unknown := 0
	for kill := range kills {
		var wg sync.WaitGroup
		enough := make(chan struct{})
		var once sync.Once
		for w := range writers {
			wg.Go(func() {
				for n := 0; ; n++ {
					b := objects.Bytes(fmt.Appendf(nil, "%d %d %d %s", kill, w, n, strings.Repeat("0123456789abcdef", 12_500)))
					k := objects.ImageKey("0199a7a0-0000-7000-8000-000000000001", b.SHA256)
					_, err := s.Put(t.Context(), k, b)
					mu.Lock()
					if err != nil {
						unknown++
						mu.Unlock()
						return
					}
					if acknowledged[k] = true; len(acknowledged) >= (kill+1)*150 {
						once.Do(func() { close(enough) })
					}
					mu.Unlock()
				}
			})
		}
		<-enough
		server.Kill()
		wg.Wait()
		if err := server.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	found, torn := 0, 0
	for info, err := range s.List(t.Context(), "", "") {
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Get(t.Context(), info.Key, 0, objects.Whole)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		_ = r.Close()
		if err != nil || !strings.HasSuffix(info.Key, objects.Bytes(b).SHA256.String()) {
			torn++
		}
		delete(acknowledged, info.Key)
		found++
	}
	t.Logf("%d kills, %d objects, %d puts without an answer, torn %d, acknowledged and missing %d", kills, found, unknown, torn, len(acknowledged))
	if torn > 0 || len(acknowledged) > 0 {
		t.Error("objects were lost")
	}
}
