// Package plain is the face for who has the screen read to them, and for terminals that know no cursor: lines in, lines out, choices by number. A State takes
// lines and news, and says what is printed and what it wants done. It is pure.
package plain
