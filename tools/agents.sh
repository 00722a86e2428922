#!/usr/bin/env bash
# The real agents under the real daemon, each against a scripted model, in a network namespace that has only loopback.
#   agents.sh [AGENT…]      opencode codex droid claude pi pi-old; all of them without a name
#   agents.sh --check       only says (exit status 1) why nothing of it can run here
# Prints a table of results, agent by scenario, and what was skipped and why. Exit status 1: something failed.
#   AGENTS_DIR    where npm installs the agents, and where they stay (default: the user's cache folder)
#   AGENTS_TOOLS  the folder with with-agent.sh (default: ../shared/tools/agents)
#   AGENTS_TABLE  a file for the tables, as Markdown
#   AGENTS_ADAPTERS  no: without the adapters' own tests with the real agent, which need no daemon
#   AGENTS_SHORT  yes: without the rows that show what another one shows, at another moment or place
#   AGENTS_ROWS   how many scenarios of an agent run side by side (default 4)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools=${AGENTS_TOOLS:-../shared/tools/agents}
install=${AGENTS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ringmaster-agents}
known='opencode codex droid claude pi pi-old'

missing() {
  [ "$(uname -sm)" = 'Linux x86_64' ] || { echo 'the agents are set up for Linux on x86_64 only'; return; }
  [ -x "$tools/with-agent.sh" ] || { echo "$tools/with-agent.sh is not there"; return; }
  for program in npm node unshare; do
    command -v "$program" >/dev/null || { echo "$program is not installed"; return; }
  done
  timeout 30 npm view @earendil-works/pi-coding-agent version >/dev/null 2>&1 || echo 'the npm registry does not answer'
}

reason=$(missing)
if [ -n "$reason" ]; then
  echo "$reason"
  exit 1
fi
[ "${1:-}" != --check ] || exit 0

[ $# -gt 0 ] || set -- $known
for name in "$@"; do
  case " $known " in *" $name "*) ;; *) echo "unknown agent: $name (known: $known)" >&2; exit 2 ;; esac
done

work=$(mktemp -d)
chmod 711 "$work" # a database that root starts runs as another user
trap 'rm -rf "$work"' EXIT
# Some agents keep what they are always allowed at the root of the repository that they work in: it has to be inside.
git init -q "$work" 2>/dev/null || mkdir -p "$work/.git"
skipped=() failed=() tables=()

# as NAME COMMAND…: the command, where NAME is an agent or an older version of one
as() {
  local name=$1
  shift
  case $name in
    pi-old) PI_PACKAGE=@mariozechner/pi-coding-agent PI_VERSION=0.73.1 PI_EXTENSIONS=asker.js "$@" ;;
    pi) PI_EXTENSIONS=asker.js "$@" ;;
    *) "$@" ;;
  esac
}

packages=(./scenarios/live)
for name in "$@"; do packages+=("./adapters/${name%-old}"); done
go test -run '^$' "${packages[@]}" >/dev/null # nothing can be fetched inside the namespace
for name in "$@"; do
  agent=${name%-old}
  if ! as "$name" "$tools/install-agent.sh" "$agent" "$install" >"$work/$name.install" 2>&1; then
    skipped+=("$name: could not be installed: $(tail -1 "$work/$name.install")")
    continue
  fi
  printf -- '-- %s\n' "$name"
  as "$name" env RINGMASTER_LIVE_TABLE="$work/$name.md" "$tools/with-agent.sh" "$agent" "$install" "$work/$name" -- \
    bash -c 'export "RINGMASTER_LIVE_${AGENT^^}=$AGENT_BIN"
      live=0 short=
      [ "'"${AGENTS_ADAPTERS:-yes}"'" = no ] || go test -count=1 -timeout 10m -run Live "./adapters/$AGENT" || live=1
      [ "'"${AGENTS_SHORT:-no}"'" = no ] || short=-short
      go test -count=1 $short -timeout 15m -parallel "'"${AGENTS_ROWS:-4}"'" ./scenarios/live && exit $live' || failed+=("$name")
  tables+=("$work/$name.md")
done

printf '\n==== real agents\n'
for table in "${tables[@]}"; do
  [ ! -f "$table" ] || { cat "$table"; echo; }
done | tee "${AGENTS_TABLE:-/dev/null}"
[ ${#skipped[@]} -eq 0 ] || printf 'skipped  %s\n' "${skipped[@]}"
[ ${#failed[@]} -eq 0 ] || printf 'FAILED   %s\n' "${failed[@]}"
[ ${#failed[@]} -eq 0 ]
