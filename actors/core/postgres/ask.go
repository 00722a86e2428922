package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Server is what a database tells of itself.
type Server struct {
	Version string
	Syncs   bool // what is committed is on the disk
}

const askServer = `SELECT current_setting('server_version'), current_setting('fsync')::boolean AND current_setting('full_page_writes')::boolean
  AND current_setting('synchronous_commit') NOT IN ('off')`

// Ask asks a database about itself, whatever tables it has. The errors are those of core.Core.
func Ask(ctx context.Context, url string, options Options) (s Server, err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return s, errAddress("ask")
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	if err := options.admit(ctx, config); err != nil {
		return s, told("ask", err)
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return s, told("ask", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	err = conn.QueryRow(ctx, askServer).Scan(&s.Version, &s.Syncs)
	return s, told("ask", err)
}
