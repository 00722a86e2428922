package journal

// CloseUnclean closes the files as they are, without syncing them and without the mark of a clean end: for a caller that
// failed in the middle of its work and does not know how much of it is written. The next Open checks the files. Nothing is written after it,
// not by a late Sync either.
func (j *Journal) CloseUnclean() error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	return j.closeFiles()
}
