package call

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const progressEvery = 10 * time.Second // while a call waits

// Waiting tells a client now and then that its call is at work, where it gave a token for that: clients give up on calls that say
// nothing. The end must be called; it waits for the goroutine.
func Waiting(ctx context.Context, req *sdk.CallToolRequest, what string) (end func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for n := 1.0; ; n++ {
			select {
			case <-tick.C:
				_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: n, Message: what})
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		cancel()
		wg.Wait()
	}
}
