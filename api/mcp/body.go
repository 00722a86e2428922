package mcp

import (
	"errors"
	"io"
	"net/http"
	"os"
)

// whole reads the body of a request; status is OK, or what to refuse it with.
func whole(w http.ResponseWriter, r *http.Request) (body []byte, status int) {
	defer r.Body.Close() // also in vain: else net/http waits for the rest
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return body, http.StatusOK
	case errors.As(err, &tooLarge):
		return nil, http.StatusRequestEntityTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, http.StatusRequestTimeout
	}
	return nil, http.StatusBadRequest
}

// MaxBody is the largest request, in bytes: eight pictures and a prompt.
const MaxBody = 48 << 20
