package stream

import (
	"context"
	"net/http"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/compress"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Config is what logs are served with.
type Config struct {
	Door      *control.Door
	Encoders  *compress.Pool
	Streams   *Limit
	Log       *zap.Logger
	Closing   context.Context // done when the streams shall end
	Heartbeat time.Duration   // of a stream without events
	Now       func() time.Time
	Rand      func(n int64) int64 // 0 to n-1, for the jitter of reconnects
	Refused   func()              // is told of a stream that there is no room for
}

// Logs serves the logs of sessions: whole, as a patch, live.
type Logs struct{ Config }

// New makes what serves logs.
func New(c Config) *Logs { return &Logs{c} }

type streamInput struct {
	operation.SessionPath
	Since       string `query:"since" example:"42" doc:"A cursor: send what follows it. Without it, everything."`
	LastEventID string `header:"Last-Event-ID" doc:"The last id that was received: wins over since. Browsers send it when they reconnect."`
}

// cursor is where a stream begins.
func (in *streamInput) cursor() (protocol.Cursor, error) {
	if in.LastEventID != "" {
		return reading.Cursor(in.LastEventID)
	}
	return reading.Cursor(in.Since)
}

func streamHeaders(h http.Header) {
	h.Set("Content-Type", schema.EventStream)
	h.Set("X-Accel-Buffering", "no")
}
