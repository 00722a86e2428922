// Package operation is one row of the API: what the framework, the guard and the description need to know of it, the JSON that it takes, and the problems that
// it answers with.
package operation
