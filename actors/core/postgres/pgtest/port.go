package pgtest

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
)

// Ports below those that the system gives to connections, and beside those of other tests.
const (
	firstPort = 16000
	lastPort  = 19999
)

// Port is one of this machine at which nobody listens. No connection is given it, so it stays free until somebody takes it on purpose.
func Port() (int, error) {
	for range lastPort - firstPort {
		port := firstPort + rand.IntN(lastPort-firstPort)
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			return port, l.Close()
		}
	}
	return 0, errors.New("no port is free")
}
