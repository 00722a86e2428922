package client

import (
	"context"
	"net/http"
)

// Roots says inside which folders sessions may work.
func (c *Client) Roots(ctx context.Context) ([]string, error) {
	var list rootList
	err := c.into(ctx, call{method: http.MethodGet, path: "/roots"}, &list)
	return list.Roots, err
}

type rootList struct {
	Roots []string `json:"roots"`
}

// AddRoot lets sessions work inside one folder more, and says inside which they may. The daemon takes it over its unix socket alone.
func (c *Client) AddRoot(ctx context.Context, path string) ([]string, error) {
	var list rootList
	err := c.into(ctx, call{method: http.MethodPost, path: "/roots", body: map[string]string{"path": path}}, &list)
	return list.Roots, err
}
