// Package segment is the form of finished segments of logs, and of archives of native lines, in an object store: lines of JSON in frames that are compressed
// each by itself. The frames behind one another are one valid zstd file, so `zstd -d` gives all lines, and a reader that has the index begins at the frame that
// its cursor is in.
//
//	frame    a zstd frame (RFC 8878) with the size of its content and a checksum of it; whole lines, FrameSize bytes of them at most,
//	         or one line that is longer
//	index    the first line and the beginning of each frame, the size and the SHA-256 of the file. It lies in the database, beside
//	         the key (session_segment), and is checked before it is used
//
// Lines have numbers, which follow one another: an event's seq, or the number of a line of an archive. What is in a line is not looked at.
package segment
