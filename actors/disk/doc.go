// Package disk is the file system as those know it that store things here: the journal, the raw archive, images, records and keys. What
// is written survives a loss of power where Sync and SyncDir say so, and not before. Package disktest has a file system in memory that shows what
// a crash at any moment could leave, and fails where it is told to.
package disk
