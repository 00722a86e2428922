// Package reason says in words why a person is asked, what happens when nobody answers, and what of a policy has decided. It says what follows from the log
// and no more. It is pure.
package reason
