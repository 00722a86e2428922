package mcp

import (
	"context"
	"errors"
	"runtime/debug"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"
)

// recovered turns a panic of a handler into an error of its call: the SDK would let it end the daemon.
func recovered(log *zap.Logger) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (res sdk.Result, err error) {
			defer func() {
				if p := recover(); p != nil {
					// Only the place: a panic's value may hold what a user wrote.
					log.Error("handler panicked", zap.String("method", method), zap.ByteString("stack", debug.Stack()))
					res, err = nil, errors.New("internal error: see the daemon's log")
				}
			}()
			return next(ctx, method, req)
		}
	}
}
