// Package httpline makes lines of an HTTP connection: one line of JSON per call to an agent, one per answer, and one when the
// stream of its events opens or is lost. So an agent that speaks HTTP has a connection of lines in and lines out as all others
// have: it can be translated purely, recorded and replayed.
//
//	{"http":"call","n":3,"after":2000,"method":"POST","path":"/session/ses_1/abort?x=y","body":{…}}
//	{"http":"answer","n":3,"status":200,"body":true}
//	{"http":"answer","n":3,"error":"connection refused"}
//	{"http":"stream","state":"open","path":"/event"}
//	{"http":"stream","state":"lost","path":"/event","error":"nothing was said for 25 s"}
//
// n pairs call and answer; whoever makes the calls numbers them. An answer that is no JSON is a JSON string of its text.
//
// All lines begin with Head, and an event of the agent never does (Event): they are told apart without being read.
package httpline
