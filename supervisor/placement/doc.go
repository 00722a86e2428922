// Package placement is a node among others on a Core. It says to them that this node lives, and has sessions move: those of a node that is gone come here,
// those that others have taken meanwhile are let go, and a node that drains gives its own away.
//
//	beats    one goroutine with a way to Core of its own: a node that is busy with its sessions must not look dead
//	mover    one goroutine, for all that moves
//	logs     of sessions that come are made beside it, so that one that stalls keeps neither other sessions nor a drain waiting
//
// A session moves as it recovers: its log is made of Core's rows, its session.json of the record that Core keeps, and then it is taken up as behind a crash,
// in the epoch that the claim has given it. In the other direction it is sealed, so that nothing is appended any more, all of it is sent to Core, its folder
// is set aside, and then it is released: where this node dies in between, it finds the session in Core at its next start.
//
// A node that is cut off may have been declared dead, and its sessions be taken by others. So it counts itself as sure of its sessions only for a part of its
// lease (gate); those that may move have no agents outside of that time.
package placement
