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
// # Files
//
// The folder (0700) holds segments (0600), named by the number of their first record, with eight digits or more, from 1:
//
//	00000001.ndjson.zst      a finished segment, zstd
//	00004711.ndjson          the tail, which grows; it is rolled at about 1 MiB
//	00000001.ndjson.zst.new  a segment being compressed; leftovers are removed
//
// Few lines wait for more before they are written (Options.Linger); a reader, and the end of a connection, have them written at once. What is written
// survives the end of the process. The tail is not synced: of a loss of power it survives as far as the system had written it. A full
// tail is closed and the next one begun; then it is compressed: write the new file, sync it, rename it, sync the folder, remove the
// plain one. Wherever that is interrupted, one whole file of the segment is there. At the next opening a torn last line of the tail is
// cut; where a segment has both files, the compressed one stays if its checksum is right; plain segments before the tail are compressed.
// When all segments together are over the limit the oldest are removed. Retention removes all (Archive.Drop): an empty tail stays, with the number of the
// next line.
package raw
