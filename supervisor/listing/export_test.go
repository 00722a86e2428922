package listing

// Fill takes all turns of long looks, and gives them back.
func (l *Lists) Fill() (empty func()) {
	for range cap(l.long) {
		l.long <- struct{}{}
	}
	return func() {
		for range cap(l.long) {
			<-l.long
		}
	}
}
