// Package wire is how the contract of Core goes over HTTP: package coreapi serves it, package remote asks for it, and both have the words from here.
//
// Each call is a POST to /core/v1/ and its name, with a JSON body and a JSON answer; the version is that of the wire alone. What has logs in it is a stream of
// frames, compressed with zstd: of each frame one JSON line, then so many bytes of a log's lines as it says, as they are. Lists without an end that is known
// are lines of JSON. A stream is whole where it ends with a line that says so; before that, and instead of it, a problem may come. An object is the body of a
// PUT and of the answer to a GET.
//
// Errors of the contract cross as problems with a code of their own (Problem). Whatever else befalls a call says nothing of it: then it is a
// *core.AwayError, and never a refusal.
package wire
