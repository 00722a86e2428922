package journal

// Source names the adapter's batch that a batch of lines was made of, so that the session recognises one that is sent
// again. The zero Source means none.
type Source struct {
	Incarnation uint32
	Batch       uint64
}
