package client

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
)

// MCP sends one request of MCP's HTTP transport: POST, GET or DELETE. The answer is as it came, whatever its status, and has to be closed; the
// error is *Unreachable where no daemon answers.
func (c *Client) MCP(ctx context.Context, method string, header http.Header, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+"/mcp", bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("%s /mcp: %w", method, err)
	}
	req.Header = header
	return c.send(req)
}
