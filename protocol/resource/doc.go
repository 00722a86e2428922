// Package resource has the bodies of the HTTP API once: the daemon's routes and its own client use the same ones. The tags
// are those of the API's schema: doc describes a member, the others bound it (api/openapi.json).
package resource
