#!/usr/bin/env bash
# Not validated: nobody has run it on Bitrise yet.
set -euo pipefail
place="$(mktemp -d)"
npm install --global --no-audit --no-fund --prefix "$place" -- "$TARMAC_CLI"
exec "$place/bin/tarmac" ci
