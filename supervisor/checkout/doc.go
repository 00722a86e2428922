// Package checkout says which branch and commit of git are checked out in a folder, as git rev-parse does, from the repository's files and without
// running git. It reads few small files, and tells nothing of them but the name of a branch and the hash of a commit.
//
// A repository may lie in several places: .git is a folder, or a file that names one (work trees, submodules), and that one may name a further one
// with the references (work trees). Whoever may write in the session's folder can write such names as well, so they are followed inside the
// daemon's roots only; a work tree's repository may lie elsewhere where it names the work tree in its turn.
package checkout
