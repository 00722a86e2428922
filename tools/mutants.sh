#!/usr/bin/env bash
# Makes small edits of the program, each of which a test must notice: scenarios/mutants/doc.go.
#   mutants.sh            all of them
#   mutants.sh --short    a dozen, in a minute or two
#   mutants.sh NAME…      some
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

wanted=${*:-all}
[ "$wanted" != --short ] || wanted=short
RINGMASTER_MUTANTS=$wanted go test -count=1 -v -timeout 120m -run '^TestMutants$' ./scenarios/mutants |
  grep --line-buffered -av '^=== ' # tests that fail show bytes of pictures
