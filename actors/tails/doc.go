// Package tails keeps, in one file for all sessions, the ends of logs that their own files may still lose with the power: one sync of this file
// makes the lines of any number of sessions safe. Who has them kept syncs the logs themselves later, at leisure, and removes the file then. After a loss
// of power the logs are mended from what is there (store.Mender).
//
// A file begins with 16 bytes: RMTAILS, and the version as a byte, which is 1, and 8 zeros. Records follow, each of which is a tail of one log.
// All integers are
// little-endian and unsigned, checksums are CRC-32C (Castagnoli).
//
//	at  bytes
//	 0      4  bytes of the session's id
//	 4      4  bytes of what stands before the lines
//	 8      8  bytes of the lines
//	16      8  segment
//	24      8  offset of the lines in the segment
//	32      4  0
//	36      4  checksum of the bytes before it, and of all that follow it in the record
//	40      –  id, bytes before the lines, lines
//
// A record that is not whole ends the file: what follows it was never synced.
package tails
