// Package mutants proves that the tests can fail. A mutant is one small edit that makes the program wrong in a way that a user would
// feel; for each there is a test that must fail when the edit is made. `task mutants` makes each edit, runs its test and reports the
// mutants that survive: each of those is a gap in the tests.
//
// The files *.txt have the mutants, by the part of the program that they are in. A record is a run of lines; an empty line ends it, and
// a line that begins with # is a comment:
//
//	mutant gap_is_accepted                   its name
//	file   actors/journal/append.go          what is edited
//	test   actors/journal.TestWrongBatches   what must fail: a folder, a test of it and, behind a slash, a subtest
//	why    what a user would see             one line, or several
//	short                                    where .ci/run is to try it as well: a test of few seconds
//	 a line that stays
//	-a line that goes
//	+a line that comes
//
// The last lines are the edit. Blanks at the beginning and at the end of a line do not count. What stays and what goes together must
// be in the file exactly once: a record that the program has left behind fails the rules of the house by its name, and so does one that
// names a test which is not there.
//
// A mutant of the page (api/web) names a test as FOLDER/test/FILE.test.ts/NAME OF THE TEST. Node takes the edited module in place of the
// one of the tree; such a test needs what tools/web.sh brings, and "mutants.sh page" tries these alone.
//
// A comment "# live: AGENT, ACT" says that `task policy` was run with the mutant, too, and which act of it failed.
//
// A mutant is caught when its package's tests build with the edit, the test named passes without it, and fails with it. What does not
// build proves nothing and counts as an error. The edit reaches the compiler as an overlay, so the files of the tree stay as they are.
package mutants
