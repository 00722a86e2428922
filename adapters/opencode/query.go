package opencode

import (
	"net/url"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// query is the query of a call. A server that runs already has a folder of its own and must be told which one is meant; one
// that was started for the session has that of the session.
func query(spec *adapters.Spec, more string) string {
	switch folder := spec.Cwd; {
	case spec.Endpoint != nil && folder != "":
		q := "?directory=" + url.QueryEscape(folder)
		if more != "" {
			q += "&" + more
		}
		return q
	case more != "":
		return "?" + more
	}
	return ""
}
