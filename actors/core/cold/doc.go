// Package cold joins Core with an object store. Events that a log is done with go there as segments, compressed, and readers get them from there as if they
// were rows still: Join is a core.Core that reads both. What moves them is a Compactor; any node may have one, and several at once do no harm.
//
// A segment's life:
//
//  1. its rows are read, and its object is made in memory;
//  2. Core is told of the object's key, which is never used again (core.Cold.Intend);
//  3. the object is put;
//  4. in one transaction the segment's row comes, the session's cold end moves, and the rows go, if they are those that were read.
//
// Whoever dies between two of these leaves at worst an object that no row names. Core has its key since step 2, and gives it up a day later: then nobody can
// name it any more, and a Compactor's Sweep deletes it. What a removed session has had goes in the same way.
//
// A cut may go through a segment (core.Writer.Rewind): no object is changed by that. The log has the front of it then, and the rest is put aside, both
// in the same object.
package cold
