#!/usr/bin/env bash
# What the daemon's policies decide, held against what the real agents then really do: acts under policies, judged by the disk. As
# agents.sh, it runs offline, each agent against a scripted model.
#   policy.sh [AGENT…]   claude codex droid opencode pi; all of them without a name
#   policy.sh --check    only says (exit status 1) why nothing of it can run here
# Prints a table of counts, agent by agent. Exit status 1: something forbidden was done, or something allowed was not.
#   AGENTS_DIR, AGENTS_TOOLS  as for agents.sh
#   POLICY_SHORT  yes: fewer acts under fewer policies
#   POLICY_RUN    regular expression of go test: TestPolicies/AGENT/POLICY/ACT
#   POLICY_ROWS   how many policies of an agent run side by side (default 2)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools=${AGENTS_TOOLS:-../shared/tools/agents}
install=${AGENTS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ringmaster-agents}
known='claude codex droid opencode pi'

if [ "${1:-}" = --check ]; then exec tools/agents.sh --check; fi
reason=$(tools/agents.sh --check) || { echo "$reason"; exit 1; }
[ $# -gt 0 ] || set -- $known
for name in "$@"; do
  case " $known " in *" $name "*) ;; *) echo "unknown agent: $name (known: $known)" >&2; exit 2 ;; esac
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go test -run '^$' ./scenarios/live >/dev/null # nothing can be fetched inside the namespace
short=
[ "${POLICY_SHORT:-no}" = no ] || short=-short
names="$*"
PI_EXTENSIONS=asker.js RINGMASTER_LIVE_POLICIES=yes "$tools/with-agent.sh" "${names// /,}" "$install" "$work" -- \
  bash -c 'for name in '"$names"'; do b=${name^^}_BIN; export "RINGMASTER_LIVE_${name^^}=${!b}"; done
    go test -v -count=1 '"$short"' -timeout 40m -parallel "'"${POLICY_ROWS:-2}"'" -run "'"${POLICY_RUN:-^TestPolicies$}"'" ./scenarios/live '"${POLICY_ARGS:-}"
