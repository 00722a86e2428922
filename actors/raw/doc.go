// Package raw keeps every native line of a session's connections to its agent, both ways, unchanged, in files
// beside the journal. It is an archive and no source of truth: it never holds a session up, and it counts and notes the lines that it
// cannot keep.
//
// # Records
//
// A record is one line of JSON of the form that package recording reads, so that an archive can be imported:
//
//	{"t_ms":1795161152995,"dir":"out","incarnation":1,"batch":7,"data":{…}}
//
//	t_ms         when, in Unix milliseconds
//	dir          out: a line of the agent · in: a line to the agent · err: of its standard error, at its end · meta · note
//	incarnation  which of the session's connections, from 1
//	batch        the adapter's batch that the line's drafts went into; the journal's index says which events that became.
//	             Left out where there were no drafts
//	data         the line: a JSON object as it was, anything else as a JSON string of it
//
// A line has been made valid UTF-8 by then (package process). In lines to the agent a base64 payload over 64 KiB (a picture
// of a prompt) is replaced by the string "@elided:sha256:DIGEST:BYTES", with the digest and the length of what it encodes:
// the session's folder has the picture under that digest. meta tells of a connection's beginning and end, note of missing
// lines: {"event":"gap","lines":N,"bytes":N} where the disk took nothing, {"event":"line_too_long","bytes":N} where the
// framer dropped a line.
//
// A line is kept as it is, and becomes a record of that form when it is read. A line of the agent that is like the one before it of its connection
// is kept as what it has other (package delta). It is whole at the beginning of a connection, of a pack, after lines were lost, after a pause, and after some
// kilobytes of changes, so that damage costs no more than that.
//
// # Files
//
// The folder (0700) holds files (0600), named by the number of their first record, with eight digits or more, from 1. They have blocks of records, with
// numbers and checksums (package block):
//
//	00000001.pack   compressed blocks of about 256 KiB of records; it is finished at 8 MiB, before a line that needs none before it
//	00004711.tail   small blocks as they come, which follow the pack; at 256 KiB they become a block of the pack
//
// and, of version 1, which is read and not written any more, 00000001.ndjson.zst and 00000001.ndjson with lines.
//
// Few lines wait for more before they are written (Options.Linger); a reader, and the end of a connection, have them written at once. What is written
// survives the end of the process. It is synced when a pack is finished: of a loss of power the rest survives as far as the system had written it. A block
// is appended to the pack before the tail that it has the records of is removed, so that wherever that is interrupted, one of them has the records; a reader
// passes over those that it has had, and takes from the tail what the pack does not give back. At the next opening a torn block is cut, and a tail goes whose
// records a pack gives back. Where a tail cannot be read back to be compressed it stays, and the next pack begins behind it. When all files together are over
// the limit the oldest are removed. Retention removes all (Archive.Drop): an empty pack stays, with the number of the next record.
package raw
