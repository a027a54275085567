#!/usr/bin/env bash
# Holds the documents against the rules that well-kept linters recommend, without an exception, and against the last
# released document: a change that breaks clients fails. About 20 s once the linters are installed.
set -euo pipefail
cd "$(dirname "$0")/../.."
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true

# The documents of older versions are served, but not kept.
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
node --import tsx test/openapi/write-versions.ts "$work"
documents=(openapi.json openapi-service.json "$work"/*.json)

npx --yes --package @redocly/cli@2.77.0 redocly lint --extends=recommended-strict "${documents[@]}"
npx --yes --package @stoplight/spectral-cli@6.16.3 spectral lint --fail-severity=hint \
  --ruleset test/openapi/spectral.yaml "${documents[@]}"

oasdiff=.local/bin/oasdiff
if [ ! -x "$oasdiff" ] && command -v go >/dev/null; then
  GOBIN="$PWD/.local/bin" GOFLAGS=-p=2 go install github.com/oasdiff/oasdiff@v1.35.0
fi
if [ ! -x "$oasdiff" ]; then
  echo 'Breaking changes were not looked for: that needs oasdiff, which is installed where Go is.'
  exit 0
fi
"$oasdiff" breaking docs/released/openapi.json openapi.json --fail-on ERR \
  --severity-levels test/openapi/oasdiff-levels.txt
