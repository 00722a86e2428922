package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// played is a daemon with one session, which has ended.
func played() *httptest.Server {
	events := []string{`{"seq":1,"ts":1,"type":"turn_start","turnId":"t1"}`, `{"seq":2,"ts":2,"type":"turn_end","turnId":"t1","status":"completed"}`}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Session-Version", "2")
		w.Header().Set("X-Session-Epoch", "1")
		switch {
		case r.Header.Get("Last-Event-ID") == "2":
			w.WriteHeader(http.StatusNoContent)
		case r.URL.Path == "/sessions/s1/stream":
			_, _ = fmt.Fprintf(w, "id: 1\ndata: %s\n\nid: 2\ndata: %s\n\n", events[0], events[1])
		case r.URL.Path == "/sessions/s1/log":
			_, _ = io.WriteString(w, events[0]+"\n"+events[1]+"\n")
		default:
			_, _ = io.WriteString(w, `{"promptId":"p1","cursor":"0"}`)
		}
	}))
}

// A program sends a prompt and reads what comes of it until the session is over.
func ExampleClient_Follow() {
	daemon := played()
	defer daemon.Close()
	c, err := client.At(daemon.URL, "the daemon's token") // on the daemon's own machine: client.Find("")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	ctx := context.Background()
	receipt, err := c.Prompt(ctx, "s1", client.Prompt{Text: "why does the test fail?"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("accepted as", receipt.PromptID)
	for u, err := range c.Follow(ctx, "s1", protocol.Cursor{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		if line, is := u.(client.Line); is {
			fmt.Println(line.At, line.Event.Payload.Type())
		}
	}
	// Output:
	// accepted as p1
	// 1 turn_start
	// 2 turn_end
}

// A log is read as far as it goes.
func ExampleClient_Log() {
	daemon := played()
	defer daemon.Close()
	c, err := client.At(daemon.URL, "the daemon's token")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	for line, err := range c.Log(context.Background(), "s1", protocol.Cursor{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(string(line.Raw))
	}
	// Output:
	// {"seq":1,"ts":1,"type":"turn_start","turnId":"t1"}
	// {"seq":2,"ts":2,"type":"turn_end","turnId":"t1","status":"completed"}
}
