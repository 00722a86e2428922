// Package remote is Core over HTTP: a way for nodes that hold neither the password of the database nor the keys of the object store (package coreapi serves
// it). Open gives a core.Core, Objects its object store.
//
// A call that was sent and not answered as it should be is an *AwayError: what it asked for may have happened. Only what the server says in its own words is
// another error. Where the server does not prove to be the one of its address, nothing is asked, and the error is an *AccessError.
package remote
