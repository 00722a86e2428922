// Package secret takes the daemon's own tokens out of what agents say, before it gets into a log, an archive or anybody's hands: an agent
// that has read one would otherwise show it to every reader. Of a token its name and its length stay, so that what was said keeps its form.
//
// It finds tokens as they are written. What is encoded, or written with something between its characters, is not found.
package secret
