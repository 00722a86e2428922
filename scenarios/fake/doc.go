// Package fake is an agent's program that plays a script: it reads and writes the native lines that the script says, and complains of
// everything else. The same script is played in memory, by Stage, and by a process, by Main.
//
// # A script
//
// A line is a keyword and what belongs to it; # begins a line of comment. The lines are those of real programs, from recordings.
//
//	version VERSION    what the program answers to --version
//	use FILE           the lines of FILE stand here
//	always             from here to the next start stand rules: a < and the > behind it. Whenever the program reads a line that is
//	                   not the one it waits for and that is as the < of a rule, it writes the > of the rule
//	start [ARG …]      the next start of the program. The ARGs are there among its arguments, one behind the other
//	serve              the same for a program that runs already and is attached to, from the first time that somebody comes
//	< JSON             waits for a line that is as JSON: the members of objects that are named here are equal there, arrays are of one
//	                   length, and * in a string stands for any text
//	> LINE             writes the line
//	>| TEXT            writes the text without a newline
//	err LINE           writes the line on standard error
//	wait DURATION      lets time pass, in memory only: a process goes on at once
//	cut                loses all that is connected: streams of events, calls without an answer, websockets
//	exit HOW           ends: a status, or KILL, TERM, SEGV or ABRT
//
// A script that does not end with exit stays: it answers by its rules until it is ended. A program ends with its standard input, and one
// that listens when it is asked to.
//
// $name where a value or an argument stands takes what is there, or, where it has taken something before, is that. In what is written
// "$name" is the value, and $name inside of a string its text. A rule has names of its own, and those of the arguments.
//
// # Programs that listen
//
// A program whose script says "listens WORDS" has no lines on its standard output but the WORDS and its address, by which OpenCode says
// where it listens. It is spoken to over HTTP, in the lines of package httpline: each call is a line that is read, and an answer that is
// written has its n. Other lines that are written are events on all open streams, which are the paths that end in /event. That a stream
// was opened is a line, too, which needs no < in the script. /global/health is answered by itself.
//
// Under serve a script without listens is spoken to over a websocket, a line per message.
package fake
