// Package bash reads command lines. For policies it says what a line would run: which one command of literal words it is, if it is no more than that, and
// otherwise every command inside it that can be seen. For who looks where a line reaches it has every word in it. It reads bash, and takes for plain only
// what every shell of its family reads alike.
package bash
