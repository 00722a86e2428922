#!/usr/bin/env bash
# Makes small edits of the program, each of which a test must notice: scenarios/mutants/doc.go.
#   mutants.sh            all of them
#   mutants.sh --short    a dozen, in a minute or two
#   mutants.sh page       those of the page (api/web)
#   mutants.sh NAME…      some
# Those of the page need npm (tools/web.sh --check says why when they cannot be tried).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

wanted=${*:-all}
[ "$wanted" != --short ] || wanted=short
if [ "$wanted" != short ] && tools/web.sh --check >/dev/null; then
  PATH=$(tools/web.sh node):$PATH
fi
RINGMASTER_MUTANTS=$wanted go test -count=1 -v -timeout 120m -run '^TestMutants$' ./scenarios/mutants |
  grep --line-buffered -av '^=== ' # tests that fail show bytes of pictures
