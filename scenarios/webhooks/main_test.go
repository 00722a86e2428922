package webhooks

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

// What a receiver is told: where it listens, and the file in which it keeps what it has got.
const (
	listenEnv = "RINGMASTER_WEBHOOK_LISTEN"
	keptEnv   = "RINGMASTER_WEBHOOK_KEPT"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(listenEnv); address != "" {
		fmt.Fprintln(os.Stderr, receive(address, os.Getenv(keptEnv)))
		os.Exit(1)
	}
	leaks.Main(m)
}

// kept is what a receiver keeps of a notice, a line of its file, before it answers.
type kept struct{ ID, Timestamp, Signature, Body string }

// receive keeps notices until it is killed.
func receive(address, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	s := http.Server{Addr: address, ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var line []byte
		if err == nil {
			line, err = json.Marshal(kept{r.Header.Get("Webhook-Id"), r.Header.Get("Webhook-Timestamp"), r.Header.Get("Webhook-Signature"), string(body)})
		}
		if err == nil {
			_, err = f.Write(append(line, '\n'))
		}
		if err != nil {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})}
	return s.ListenAndServe()
}
