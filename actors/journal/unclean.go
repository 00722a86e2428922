package journal

// CloseUnclean closes the files as they are, without syncing them and without the mark of a clean end: for a writer that
// failed in the middle of something and does not know what is written. The next Open looks. Nothing is written after it,
// not by a Sync that is late either.
func (j *Journal) CloseUnclean() error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	return j.closeFiles()
}
