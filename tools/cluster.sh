#!/usr/bin/env bash
# Nodes on one Core in full: 475 times, something befalls three daemons, their database or their networks, while sessions work and readers follow at every node.
# The server is a private one, as for core.sh.   cluster.sh [GO TEST FLAGS…]
#   RINGMASTER_CLUSTER=25  how often each of the fifteen faults comes, four of them twice; one of each takes five minutes
#   RINGMASTER_CLUSTER_ONLY=replica  those alone of which the name has this in it (scenarios/cluster/storm_test.go)
#   RINGMASTER_CLUSTER_SESSIONS=1000  so many sessions at work has the node that is lost in TestManySessionsOfANode (100 else)
#   RINGMASTER_CLUSTER_RESTING=700  and so many at rest (as many else)
#   cluster.sh --kills [GO TEST FLAGS…]  500 kills of nodes instead (three quarters of an hour); RINGMASTER_CLUSTER_KILLS says how many
#   cluster.sh --check    only says (exit status 1) why it cannot run here
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ "${1:-}" = --check ]; then exec tools/core.sh --check; fi
tools/core.sh --install
if [ "${1:-}" = --kills ]; then
  RINGMASTER_CLUSTER_KILLS=${RINGMASTER_CLUSTER_KILLS:-500} exec go test -count=1 -timeout 3h -v -run '^TestNodesTakeOver$' ./scenarios/cluster "${@:2}"
fi
RINGMASTER_CLUSTER=${RINGMASTER_CLUSTER:-25} go test -count=1 -timeout 3h -v ./scenarios/cluster "$@"
