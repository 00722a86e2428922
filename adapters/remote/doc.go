// Package remote is the transport to agents that run already and speak over a websocket: one message per text frame, which
// comes out as a line, and each line that goes in is a frame. An attached agent is nobody's to end: Stop only hangs up.
package remote
