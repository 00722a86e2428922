// Package access says who may do what. A request carries a Principal, who the guard found it to be; Gate stands between
// every surface (HTTP and MCP alike) and the supervisor and asks the principal's scope for every verb. A context without a
// principal may do nothing.
package access
