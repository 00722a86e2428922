package s3_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/s3"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]s3.Options{
		"s3://bucket":                 {Bucket: "bucket"},
		"s3://bucket/":                {Bucket: "bucket"},
		"s3://my.bucket-1/a/b":        {Bucket: "my.bucket-1", Prefix: "a/b/"},
		"s3://bucket/a/":              {Bucket: "bucket", Prefix: "a/"},
		"s3://bucket?region=eu-1":     {Bucket: "bucket", Region: "eu-1"},
		"s3://bucket?addressing=host": {Bucket: "bucket", Addressing: s3.Host},
		"s3://bucket/a?endpoint=https://s3.test:9000&region=x&addressing=path": {
			Bucket: "bucket", Prefix: "a/", Endpoint: "https://s3.test:9000", Region: "x", Addressing: s3.Path,
		},
		"s3://bucket?endpoint=http%3A%2F%2F127.0.0.1%3A9": {Bucket: "bucket", Endpoint: "http://127.0.0.1:9"},
	} {
		if got, err := s3.Parse(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"", "bucket", "https://bucket", "s3:bucket", "s3://", "s3://Bucket", "s3://ab", "s3://-bucket", "s3://a..b", "s3://bucket:80", "s3://bucket/../a", "s3://bucket/.new",
		"s3://bucket//a", "s3://bucket/a b", "s3://bucket#x", "s3://me:sesame@bucket", "s3://sesame@bucket", "s3://bucket?key=sesame", "s3://bucket?secret=sesame",
		"s3://bucket?region=a&region=b", "s3://bucket?endpoint=s3.test", "s3://bucket?endpoint=ftp://s3.test", "s3://bucket?endpoint=https://me:sesame@s3.test",
		"s3://bucket?endpoint=https://s3.test/path", "s3://bucket?endpoint=https://s3.test?a=sesame", "s3://bucket?addressing=other", "s3://bucket?%zz=sesame", "s3://buc%ket",
	} {
		_, err := s3.Parse(text)
		access := new(*objects.AccessError)
		if !errors.As(err, access) || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("s3://bucket/a?endpoint=https://s3.test:9000&region=x&addressing=path")
	f.Add("s3://me:secret@bucket")
	f.Fuzz(func(t *testing.T, text string) {
		o, err := s3.Parse(text)
		if err != nil {
			return
		}
		s, err := s3.Open(o)
		if err != nil {
			t.Skip(err) // the client has rules for hosts
		}
		s.Close()
	})
}

func TestOpenRefuses(t *testing.T) {
	for _, o := range []s3.Options{{}, {Bucket: "bucket", Prefix: "a"}, {Bucket: "bucket", Endpoint: "s3.test"}, {Bucket: "bucket", Addressing: "x"}} {
		access := new(*objects.AccessError)
		if _, err := s3.Open(o); !errors.As(err, access) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestKeysAreNotPrinted, however somebody tries.
func TestKeysAreNotPrinted(t *testing.T) {
	k := s3.Keys{ID: "me", Secret: "sesame", Session: "lent-sesame"}
	j, err := json.Marshal(map[string]any{"keys": k, "in": []s3.Keys{k}})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{fmt.Sprint(k), fmt.Sprintf("%+v %#v %s %q %x %d", k, k, k, k, k, k), fmt.Sprintf("%v", &k), string(j), fmt.Sprintf("%+v", s3.Options{Keys: func() (s3.Keys, error) { return k, nil }})} {
		if strings.Contains(text, "sesame") || strings.Contains(text, fmt.Sprintf("%x", "sesame")) {
			t.Errorf("printed as %s", text)
		}
	}
}

func TestKeys(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "me")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	if _, err := s3.Environment(); err == nil {
		t.Error("half of the keys is enough")
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "sesame")
	t.Setenv("AWS_SESSION_TOKEN", "lent")
	want := s3.Keys{ID: "me", Secret: "sesame", Session: "lent"}
	if k, err := s3.Environment(); err != nil || !reflect.DeepEqual(k, want) {
		t.Error(k.ID, k.Secret, err)
	}
	path := filepath.Join(t.TempDir(), "keys")
	from := s3.File(path)
	if _, err := from(); err == nil {
		t.Error("a file that is not there has keys")
	}
	for text, ok := range map[string]bool{
		"AWS_ACCESS_KEY_ID=me\nAWS_SECRET_ACCESS_KEY=sesame\nAWS_SESSION_TOKEN=lent\n":                                                          true,
		"# mine\n[default]\naws_access_key_id = me\r\naws_secret_access_key = sesame\naws_session_token = lent\n[other]\naws_access_key_id = x": true,
		"aws_access_key_id = me\n":                                     false,
		"[a]\n[b]\naws_access_key_id=me\naws_secret_access_key=sesame": false,
		"": false,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		k, err := from()
		if (err == nil) != ok || ok && !reflect.DeepEqual(k, want) || err != nil && strings.Contains(err.Error(), "sesame") {
			t.Errorf("%q: %v, %v", text, k, err)
		}
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := from(); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("others may read it: %v", err)
	}
}
