// Package access decides which principal may do what. The guard finds the Principal of a request, and the request's context carries it.
// Gate stands between every face (HTTP and MCP alike) and the supervisor, and checks the principal's scope for every verb. A context
// without a principal may do nothing.
package access
