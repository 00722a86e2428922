package merged

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Limit counts the streams that are open, and says which of them there is no room for; *stream.Limit does.
type Limit interface {
	Enter(p *access.Principal) (leave func(), ok bool)
}

// Config is what merged streams are served with.
type Config struct {
	Gate      *access.Gate
	Door      *control.Door
	Streams   Limit
	Summary   func(*session.Summary) resource.SessionSummary
	Log       *zap.Logger
	Closing   context.Context // done when the streams shall end
	Heartbeat time.Duration
	Now       func() time.Time
	Rand      func(n int64) int64         // 0 to n-1, for the jitter of reconnects
	Refused   func()                      // is told of a stream that there is no room for
	NoRoom    func() *huma.StreamResponse // answers it
}
