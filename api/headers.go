package api

import (
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

func setSessionHeaders(h http.Header, epoch, version uint64) {
	h.Set("X-Session-Epoch", strconv.FormatUint(epoch, 10))
	h.Set("X-Session-Version", strconv.FormatUint(version, 10))
}

func sessionHeaders() map[string]*huma.Param {
	zero := 0.0
	number := func(text string) *huma.Param {
		return &huma.Param{Description: text, Schema: &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &zero}}
	}
	return map[string]*huma.Param{
		"X-Session-Version": number("The seq of the newest event when the answer began"),
		"X-Session-Epoch":   number("The epoch of the log"),
	}
}
