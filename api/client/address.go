package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/discovery"
)

// connectTimeout bounds the way to the daemon, which is on this machine more often than not.
const connectTimeout = 5 * time.Second

// Find makes a client of the daemon of a data folder, by the address that the daemon wrote there: its unix socket, else its URL. An empty path means the
// folder that the daemon takes without --data. Find does not connect: *Unreachable here means that no daemon runs.
func Find(dataFolder string, options ...Option) (*Client, error) {
	if dataFolder == "" {
		path, err := discovery.Default()
		if err != nil {
			return nil, err
		}
		dataFolder = path
	}
	a, err := discovery.ReadAddress(dataFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Unreachable{Where: dataFolder}
	}
	if err != nil {
		return nil, err
	}
	token, err := discovery.ReadToken(filepath.Join(dataFolder, discovery.TokenFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a unix socket needs none
		return nil, err
	}
	if a.Socket != "" {
		return At("unix:"+a.Socket, token, options...)
	}
	return At(a.HTTP, token, options...)
}

// At makes a client of the daemon at an address: http://HOST:PORT, https://HOST:PORT, HOST:PORT (which is http), or the path of a unix socket, with or
// without unix: before it. The token may be empty for a unix socket. At does not connect.
func At(address, token string, options ...Option) (*Client, error) {
	if isHostPort(address) {
		address = "http://" + address
	}
	d := net.Dialer{Timeout: connectTimeout}
	if strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
		base, err := baseURL(address)
		if err != nil {
			return nil, err
		}
		return newClient(base, base, token, transport(d.DialContext), options), nil
	}
	path := strings.TrimPrefix(address, "unix:")
	if path == "" || strings.Contains(path, "://") {
		return nil, fmt.Errorf("address %q: want HOST:PORT, http://HOST:PORT, https://HOST:PORT or the path of a unix socket", address)
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return d.DialContext(ctx, "unix", path) }
	return newClient("http://localhost", path, token, transport(dial), options), nil
}

// BeyondLoopback says that an address of At may lead to another machine, where a token of this one does not belong. Names other than localhost do: who
// answers for them is not this machine's word.
func BeyondLoopback(address string) bool {
	if isHostPort(address) {
		address = "http://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false // a unix socket, or refused by At
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback())
}

// isHostPort tells 127.0.0.1:7433 from the path of a socket.
func isHostPort(address string) bool {
	_, port, err := net.SplitHostPort(address)
	if err != nil || strings.Contains(address, "/") || strings.HasPrefix(address, "unix:") {
		return false
	}
	_, err = strconv.ParseUint(port, 10, 16)
	return err == nil
}

// baseURL checks an address of the form http://HOST:PORT.
func baseURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return "", fmt.Errorf("address %q: want http://HOST:PORT, https://HOST:PORT or the path of a unix socket", address)
	}
	return u.Scheme + "://" + u.Host, nil
}

// transport has no proxy, as the daemon's token must not go to one.
func transport(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		DialContext:           dial,
		TLSHandshakeTimeout:   connectTimeout,
		ResponseHeaderTimeout: time.Minute,
		MaxIdleConnsPerHost:   4,
		IdleConnTimeout:       time.Minute,
	}
}
