// Package bash says what a command line would run, for policies: which one command of literal words it is, if it is no more than that, and
// otherwise every command inside it that can be seen. It reads bash, and takes for plain only what every shell of its family reads alike.
package bash
