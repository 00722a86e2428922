package raw

// lines are records before they are encoded: their texts behind one another, so that recording a line costs a copy and no
// allocation.
type lines struct {
	items []item
	text  []byte
}

// How many bytes a buffer may keep for the next time: while there is work, and while there is none.
const (
	maxSpare  = 1 << 20
	idleSpare = 4 << 10
)

// itemSize is what a line takes besides its text: much more than the text, where that is the change of a line that is repeated.
const itemSize = 40

func (l *lines) append(d dir, text []byte) {
	l.text = append(l.text, text...)
	l.items = append(l.items, item{dir: d, size: len(text), end: len(l.text)})
}

// stamp completes all items.
func (l *lines) stamp(time int64, incarnation uint32, batch uint64) {
	for i := range l.items {
		it := &l.items[i]
		it.time, it.incarnation, it.batch = time, incarnation, batch
		if it.dir == dirMeta || it.dir == dirErr || it.dir == dirNote {
			it.batch = 0
		}
	}
}

// add appends the lines of another.
func (l *lines) add(more *lines) {
	shift := len(l.text)
	l.text = append(l.text, more.text...)
	for _, it := range more.items {
		it.end += shift
		l.items = append(l.items, it)
	}
}

func (l *lines) reset() {
	l.items, l.text = l.items[:0], l.text[:0]
	l.trim(maxSpare)
}

// trim lets go of buffers that are larger than spare.
func (l *lines) trim(spare int) {
	if len(l.items) == 0 && (cap(l.text) > spare || cap(l.items) > spare/16) {
		*l = lines{}
	}
}

// size is about how many bytes the lines take.
func (l *lines) size() int { return len(l.text) + len(l.items)*itemSize }

// holds says that it has buffers.
func (l *lines) holds() bool { return cap(l.text) > 0 || cap(l.items) > 0 }
