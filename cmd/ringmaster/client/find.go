package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
)

// Place says where to look for a daemon. Empty members are found out.
type Place struct {
	Folder    datafolder.Folder
	Address   string // base URL, HOST:PORT (http), or path of a unix socket; empty: the folder's address file
	TokenFile string // empty: the folder's
}

// connectTimeout bounds the way to the daemon, which is on this machine more often than not.
const connectTimeout = 5 * time.Second

// Find makes the client of a place. Without an address it takes what the daemon wrote into its data folder, the unix
// socket first. It does not connect: *Unreachable here means that there is nothing to connect to.
func Find(p Place) (*Client, error) {
	address := p.Address
	if address == "" {
		a, err := p.Folder.ReadAddress()
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &Unreachable{Where: p.Folder.Path}
		}
		if err != nil {
			return nil, err
		}
		if address = a.Socket; address == "" {
			address = a.HTTP
		}
	}
	file := p.TokenFile
	if file == "" {
		file = p.Folder.TokenFile()
	}
	token, err := datafolder.ReadToken(file)
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist) && p.TokenFile == "": // a unix socket may need none
	default:
		return nil, err
	}
	if isHostPort(address) {
		address = "http://" + address
	}
	if p.Address != "" && beyondLoopback(address) {
		if err := refuseAdmin(p, token); err != nil {
			return nil, err
		}
	}
	if strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
		return overTCP(address, token)
	}
	return overSocket(strings.TrimPrefix(address, "unix:"), token)
}

// beyondLoopback says that an address may lead to another machine. Names other than localhost do: who answers for them is not this machine's word.
func beyondLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false // a unix socket, or refused later
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return !strings.EqualFold(host, "localhost") && (ip == nil || !ip.IsLoopback())
}

// refuseAdmin refuses to send the administrator's token of this machine's daemon to another machine, also where its file is named.
func refuseAdmin(p Place, token string) error {
	admin, err := datafolder.ReadToken(p.Folder.TokenFile())
	if p.TokenFile == "" && (token != "" || !errors.Is(err, fs.ErrNotExist)) || token != "" && err == nil && token == admin {
		return fmt.Errorf("the administrator's token of this machine is not sent to %s: name a file with a token of that daemon with --token-file", p.Address)
	}
	return nil
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

func overTCP(address, token string) (*Client, error) {
	base, err := baseURL(address)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: connectTimeout}
	return &Client{base: base, where: base, token: token, http: httpClient(d.DialContext)}, nil
}

func overSocket(path, token string) (*Client, error) {
	if path == "" || strings.Contains(path, "://") {
		return nil, fmt.Errorf("address %q: want HOST:PORT, http://HOST:PORT, https://HOST:PORT or the path of a unix socket", path)
	}
	d := net.Dialer{Timeout: connectTimeout}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return d.DialContext(ctx, "unix", path) }
	return &Client{base: "http://localhost", where: path, token: token, http: httpClient(dial)}, nil
}

// httpClient has no proxy, as the daemon's token must not go to one, and follows no redirects, as the daemon sends none.
func httpClient(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext:           dial,
			TLSHandshakeTimeout:   connectTimeout,
			ResponseHeaderTimeout: time.Minute,
			MaxIdleConnsPerHost:   4,
			IdleConnTimeout:       time.Minute,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Close ends the idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }
