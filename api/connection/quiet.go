package connection

import "go.uber.org/zap/zapcore"

// Quiet makes net/http's own complaints (a TLS handshake that failed, a request that was no HTTP) lines for debugging, and
// leaves their text out: it can hold bytes of the client.
func Quiet(c zapcore.Core) zapcore.Core { return quietCore{c} }

type quietCore struct{ zapcore.Core }

func (q quietCore) Enabled(zapcore.Level) bool { return q.Core.Enabled(zapcore.DebugLevel) }

func (q quietCore) With(f []zapcore.Field) zapcore.Core { return quietCore{q.Core.With(f)} }

func (q quietCore) Check(e zapcore.Entry, ce *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if !q.Enabled(e.Level) {
		return ce
	}
	e.Level, e.Message = zapcore.DebugLevel, "net/http complained about a connection"
	return ce.AddCore(e, q)
}

func (q quietCore) Write(e zapcore.Entry, f []zapcore.Field) error { return q.Core.Write(e, f) }
