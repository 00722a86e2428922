package s3

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// Addressing is where a request names the bucket.
type Addressing string

// The ways of addressing. Auto is Host at AWS, and Path elsewhere.
const (
	Auto Addressing = ""
	Path Addressing = "path" // https://HOST/BUCKET/KEY
	Host Addressing = "host" // https://BUCKET.HOST/KEY
)

// Options are what an operator may choose.
type Options struct {
	Bucket     string
	Prefix     string // begins all keys in the bucket; "", or it ends with "/"
	Endpoint   string // https://HOST:PORT, or http:// in a network that is trusted; "": AWS
	Region     string // "": us-east-1
	Addressing Addressing
	Keys       func() (Keys, error) // nil: Environment. It is asked at each request
	Roots      *x509.CertPool       // who may vouch for the server; nil: whom the system trusts
	// Dial makes connections; nil: it is done as usual.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

const hintURL = "want s3://BUCKET or s3://BUCKET/PREFIX, and behind it, where they are needed, " +
	"?endpoint=https://HOST:PORT&region=REGION&addressing=path (or host); keys are in the environment (" + idName + ", " + secretName +
	") or in a file, never in the URL"

// Parse reads s3://BUCKET/PREFIX?endpoint=…&region=…&addressing=…. Its error is an *objects.AccessError, which does not repeat the URL: somebody may have
// written a secret into it.
func Parse(text string) (o Options, err error) {
	wrong := func(problem string) (Options, error) {
		return Options{}, &objects.AccessError{Op: "open", Err: errors.New(problem), Hint: hintURL}
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.Opaque != "" || u.Fragment != "" {
		return wrong("the store's URL cannot be read")
	}
	if u.User != nil {
		return wrong("the store's URL has a user or a secret")
	}
	o = Options{Bucket: u.Host, Prefix: strings.TrimPrefix(u.Path, "/")}
	if o.Prefix != "" && !strings.HasSuffix(o.Prefix, "/") {
		o.Prefix += "/"
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return wrong("the store's URL cannot be read")
	}
	for name, values := range query {
		if len(values) != 1 {
			return wrong("the store's URL says something twice")
		}
		switch value := values[0]; name {
		case "endpoint":
			o.Endpoint = value
		case "region":
			o.Region = value
		case "addressing":
			o.Addressing = Addressing(value)
		default:
			return wrong("the store's URL has a part that is not known")
		}
	}
	return o, o.check()
}

// check gives the *objects.AccessError of options that cannot be used.
func (o *Options) check() error {
	problem := ""
	switch {
	case o.Endpoint != "" && !isEndpoint(o.Endpoint):
		problem = "the endpoint is not https://HOST:PORT"
	case !isBucket(o.Bucket):
		problem = "the bucket's name is none"
	case o.Prefix != "" && (!strings.HasSuffix(o.Prefix, "/") || objects.CheckPrefix(o.Prefix) != nil):
		problem = "the prefix has other characters than letters, digits, '-', '_', '.' and '/', or names that begin with '.'"
	case o.Addressing != Auto && o.Addressing != Path && o.Addressing != Host:
		problem = "addressing is path or host"
	}
	if problem != "" {
		return &objects.AccessError{Op: "open", Err: errors.New(problem), Hint: hintURL}
	}
	return nil
}

// isEndpoint says that a URL names a server and nothing else.
func isEndpoint(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil && strings.Trim(u.Path, "/") == "" && u.RawQuery == "" &&
		u.Fragment == ""
}

// isBucket is S3's rule for names: 3 to 63 small letters, digits, "-" and ".".
func isBucket(s string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	return len(s) >= 3 && len(s) <= 63 && strings.Trim(s, letters+".-") == "" && strings.Trim(s, ".-") == s && !strings.Contains(s, "..")
}

// Open makes a way to a bucket. It asks the server nothing: that is done by the calls, and by objects.Check. Its errors are of options.
func Open(o Options) (objects.Asked, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if o.Keys == nil {
		o.Keys = Environment
	}
	o.Region = cmp.Or(o.Region, "us-east-1")
	endpoint, err := url.Parse(cmp.Or(o.Endpoint, "https://s3.amazonaws.com"))
	if err != nil {
		return nil, err // check has read it
	}
	s := &store{options: o, transport: transport(&o)}
	lookup := map[Addressing]minio.BucketLookupType{Auto: minio.BucketLookupAuto, Path: minio.BucketLookupPath, Host: minio.BucketLookupDNS}[o.Addressing]
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.New(provider{o.Keys}), Secure: endpoint.Scheme == "https", Transport: s.transport, Region: o.Region, BucketLookup: lookup,
		MaxRetries: tries,
	})
	if err != nil {
		return nil, &objects.AccessError{Op: "open", Err: err, Hint: hintURL}
	}
	s.core = minio.Core{Client: client}
	s.closing, s.close = context.WithCancelCause(context.Background())
	return s, nil
}

// transport leaves the bodies of answers as they are: one that unpacks what is said to be compressed would give other bytes.
func transport(o *Options) *http.Transport {
	dial := o.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dial, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.Roots},
		MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: time.Minute,
		DisableCompression: true,
	}
}
