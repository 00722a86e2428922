// Package submission keeps what became of the calls that came with a key of idempotency, in memory and in the file submissions (spec §7.16): each is
// carried out once, and a repeat gets its answer, or learns that nobody knows it. What is decided is in core; this package has the disk, the time and
// those who wait.
package submission
