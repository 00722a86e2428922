// Package remote is the transport to agents that run already and speak over a websocket: one message per text frame, which
// comes out as a line, and each line that goes in is a frame. An attached agent is nobody's to end: Stop only hangs up.
//
// The agent goes on while nobody listens, so a websocket that is lost is opened again, for as long as a minute. Whoever reads
// is told by lines of httpline, which no message can be taken for:
//
//	{"http":"stream","state":"lost","path":"","error":"…"}
//	{"http":"stream","state":"open","path":"1"}
//
// What was said in between is gone. The second line is written back by whoever has read it: what was written before it was meant
// for the websocket that was lost, and is dropped.
package remote
