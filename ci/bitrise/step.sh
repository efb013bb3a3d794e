#!/usr/bin/env bash
# Not validated: nobody has run it on Bitrise yet.
set -euo pipefail
# npm takes a/b for a repository of GitHub.
case "$TARMAC_CLI" in https://*|/*|./*) ;; *) TARMAC_CLI="./$TARMAC_CLI" ;; esac
place="$(mktemp -d)"
npm install --global --no-audit --no-fund --prefix "$place" -- "$TARMAC_CLI"
exec "$place/bin/tarmac" ci
