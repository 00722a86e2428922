// Package elsewhere knows the sessions of Core that are not on this node, and shows them: in the list beside this node's own, and each by a mirror (package
// mirror). With it a supervisor answers for any session, so that a client reads at any node what any node has. What changes a session is left to the node
// that has it.
//
// One goroutine asks Core: for what has changed in its list, once a second while somebody looks and twice a minute else, and for the positions of what is
// followed, four times a second. All of the list is read in pieces of a second, each of which goes on where the one before has ended, also behind a failure.
// Where Core does not answer, the list stays as it was last known, and says that it may be partial, as it does until all of it was read once.
package elsewhere
