package terminal

// Frame is what a screen shows: a line for each row, of which none is wider than the screen.
type Frame struct {
	Lines []string
	X, Y  int    // the cursor, from 0; Y < 0: it is hidden
	Title string // of the window, in the program's own words
}
