#!/usr/bin/env bash
# How long a push takes from the agent's line to an MCP client, beside one that does not read and with 100 sessions at work, and
# what watchers cost. Run it on a machine that has nothing else to do: other programs' time is measured as well.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

go test -count=1 -v -run '^TestMCP(Watchers|PushLatency|StuckWatchersCostNothing)$' ./api
