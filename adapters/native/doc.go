// Package native holds what the translators of all agents need to read native lines: a scanner of JSON objects that decodes
// nothing, lenient decoding, the cutting of long texts, deltas of text that an agent repeats, and what it has told of
// its session. It knows no agent.
package native
