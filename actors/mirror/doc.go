// Package mirror shows a session that runs on another node, or on none: the actor answers whoever reads it as the session's own actor would, out of what
// Core has of it. It begins nothing and changes nothing: whoever wants a change is refused.
//
// The log of a mirror (log.go) reads Core's rows. Its ring is fed once, however many readers there are, when whoever owns the mirror says that Core has
// more. Where another epoch has begun, what Core has is not what it was any more: the ring is retired, and its readers join again and go on from the same
// position where that is good.
package mirror
