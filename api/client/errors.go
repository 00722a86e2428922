package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Unreachable says that no daemon answers, or that the connection was lost before it did.
type Unreachable struct {
	Where string // the address, or the data folder without one
	Err   error  // why; nil: the data folder says that none runs
	Sent  bool   // the daemon may have got the request, and may have done what it asks for
}

func (e *Unreachable) Error() string {
	if e.Err == nil {
		return "no daemon runs for " + e.Where
	}
	return fmt.Sprintf("no daemon answers at %s: %v", e.Where, e.Err)
}

// Hint is what to do.
func (e *Unreachable) Hint() string {
	return "start one with: ringmaster up, or name another with --data or --address"
}

func (e *Unreachable) Unwrap() error { return e.Err }

// unreachable tells a request that was lost on its way from one that never had a connection.
func unreachable(where string, err error) *Unreachable {
	var op *net.OpError
	return &Unreachable{Where: where, Err: err, Sent: !errors.As(err, &op) || op.Op != "dial"}
}

// problemOf reads the problem of an answer that is none of a success.
func problemOf(resp *http.Response) error {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	media, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	var p struct {
		protocol.Problem
		Errors []struct {
			Location string `json:"location"`
			Message  string `json:"message"`
		} `json:"errors"`
		SessionID string `json:"sessionId"`
	}
	if media != protocol.ProblemType || json.Unmarshal(text, &p) != nil || p.Code == "" {
		return fmt.Errorf("the daemon answered %s, which is none of its own answers: is it something else that listens there?", resp.Status)
	}
	for _, e := range p.Errors {
		p.Detail += " " + strings.TrimSpace(e.Location+" "+e.Message) + "."
	}
	if p.SessionID != "" {
		p.Detail += " (Session " + p.SessionID + " tells more.)"
	}
	p.Detail = strings.TrimSpace(p.Detail)
	return &p.Problem
}
