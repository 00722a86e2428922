// Package schema has what the description says of the protocol: the unions of events, entries and frames, closed sets of words, the comments of its
// types, and one session of examples.
package schema
