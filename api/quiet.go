package api

import (
	"time"

	"go.uber.org/zap/zapcore"
)

// strangersLogged is how many requests that need no token are logged in a second.
const strangersLogged = 10

// few makes the log of such requests: the first ones of each second.
func few(c zapcore.Core) zapcore.Core {
	return zapcore.NewSamplerWithOptions(c, time.Second, strangersLogged, 0)
}
