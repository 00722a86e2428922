// Package diff writes what agents tell of changed files in one form, the unified diff of spec §4.5, and reads unified diffs of other hands,
// so that they get that form as well. What it writes of a change that was told whole, git apply and patch -p1 apply.
//
// Where an agent asks before it changes a file, the package makes the diff of what it tells by then: of the file before and after, of passages and what takes
// their place, or of a whole new text (spec §4.8).
//
// The form is that of git, without what nobody has told: modes and hashes. A file begins with "--- a/PATH" and "+++ b/PATH", with /dev/null
// where it begins or ends. A "diff --git" line stands before that where those two do not say it all: at moves, and at files that are empty
// when they begin or end.
package diff
