// Package core decides about submissions that come with a key of idempotency (spec §7.16): which is new and is carried out, which repeats one that is
// known, and what is told of it. It is pure: a state, inputs, effects. Time and the disk are inputs.
package core
