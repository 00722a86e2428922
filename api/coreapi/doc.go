// Package coreapi serves Core over HTTP, in front of a database and an object store of which nodes hold neither password nor keys (package wire has the words,
// package remote is the client). `ringmaster core serve` is it.
//
// What stands before a call, in this order and before its body is read: the guard (package guard: is there such a path, was this host meant, may a web page
// ask), the credential, a place among the requests that are served at once, and room for the body, by its size. Where there is neither place nor room in time,
// the answer is that Core is away, and what Retry-After says; beats and what declares nodes dead have places, and a way to the database, of their own, so that
// no log holds them up.
//
// A credential is of one node. It speaks for that node alone: whoever takes, claims, beats, releases or leaves does so as himself. Leases are what an append is
// judged by, so a node is told its own, and those of others are left out. Logs and records of all sessions it may read, since any node answers for any session.
// What takes care of the object store is the server's (core.Cold's Due, Compact, Garbage, Strays): a node puts pictures and native lines of its own sessions,
// and nothing else.
package coreapi
