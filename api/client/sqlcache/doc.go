// Package sqlcache keeps the lines of sessions in a SQLite database, for a client.Mirror. The caller opens the database with a driver of its own choice;
// this package imports none.
//
// The tables are those of spec §10.3, so that other programs read the lines with SQL, and a third one, cached, which has a checksum of each session's
// lines: a line that was changed on the disk is not shown, but read from the daemon again. A store is one transaction. Whatever the end of a process
// leaves, at any moment, is a run of lines as of the last transaction.
//
// A database in the journal mode WAL with synchronous = NORMAL syncs no store by itself and is never torn: after a loss of power it has a run of lines
// that may be somewhat older, and the rest is read again. That is what a cache needs; the default of SQLite syncs every store.
//
// A database belongs to one program at a time and to one principal: what one token has read, another must not show. Where another program has written a
// session meanwhile, a store fails and changes nothing.
package sqlcache
