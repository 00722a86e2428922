// Package resource has the bodies of the HTTP API once: the daemon's routes answer with them, and its own client reads them. The tags
// are those of the API's schema: doc describes a member, the others bound it (api/openapi.json).
package resource
