package desk

// Weigh wants to know how large pictures are, by their references' digests.
type Weigh struct {
	Session string
	Digests []string
}

// Weighed is how large they are, in bytes; of one that could not be read why.
type Weighed struct {
	Session string
	Sizes   map[string]int64
	Errs    map[string]string
}

// SavePicture writes a picture into a file of this folder, or has the desktop show it.
type SavePicture struct {
	Session       string
	Digest, Media string
	Show          bool
}

func (Weigh) wish()       {}
func (SavePicture) wish() {}
func (Weighed) news()     {}
