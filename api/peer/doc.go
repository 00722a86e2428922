// Package peer carries requests from one node to another: what a client asks of a session at a node that does not have it goes to the one that has.
//
// The node at which a client came has let it in, and passes on who that is (Forwarder); tokens stay where they are. The listener for peers (Admit) believes a
// peer whose key Core has, and nobody else; the guard of the session's node then asks what every guard does. A request is passed on once: a node that does
// not have the session says so (misdirected), and the first node asks Core anew.
//
// Nothing is ever done twice on the way: a request that may have come there is sent again only where it changes nothing, or has a key of idempotency.
package peer
