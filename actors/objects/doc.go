// Package objects says what an object store is to Core: the place of what is large and does not change any more, which are finished segments of logs, finished
// segments of the archive of native lines, and pictures. Package memory is one inside the process, for tests, package disk one on a folder, package s3 one on
// a bucket; each passes the suite of package objectstest. Package segment is the form of what lies there.
//
// Its rules, which the suite checks:
//
//   - An object is put only if its key is free. Of many that put to one key at once, one does; the others are told that it is there. Nobody writes over one.
//   - An object is there as a whole or not at all. What its writer did not finish, or has other bytes than its digest says, does not count: it is in no list,
//     and cannot be read.
//   - What Put has answered survives the end of the process that has the store, and, as far as its disks keep what they say, a loss of power.
//   - A call that fails with an *AwayError says nothing: what it asked for may have happened, and may happen yet. Since keys are named by content, it is
//     asked again until it is answered; that it is there already is an answer. With every other error nothing has happened.
//   - Keys have one of the shapes of this package, and are checked before anything is asked. What else lies in the place is left alone: no list has it, and
//     no call can name it.
//   - Memory is bounded: bodies are read and written as streams, lists come in pages.
//
// An object counts when a row of the database names it (session_segment, session_raw, session_image). So it is put first, and what no row names is garbage.
package objects
