// Package cache keeps the lines of sessions on the disk of a client, in the form of spec §10.4: the log's bytes, an index of two slots with a checksum,
// and a state as a hint.
//
// A Folder belongs to one writer at a time and to one principal: what one token has read, another must not show. A Session of it carries out the cache effects
// of package sync.
//
// Whatever the end of a process leaves, at any byte, the next Open finds a prefix of what was stored, or nothing. The same holds after a loss of power,
// with or without Options.Flush: the checksum tells lines that did not reach the disk. Flush makes it rarer that they did not.
package cache
