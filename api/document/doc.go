// Package document describes the operations of the API: as OpenAPI in three versions, with examples, and as the page of /docs.
//
// It comes last: it reads what the operations have said of themselves, and is handed examples of their bodies.
package document
