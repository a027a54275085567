#!/usr/bin/env bash
# Holds the documents against the rules that well-kept linters recommend, without an exception, and against the document
# of the last release: a change that breaks clients fails. About 20 s once the linters are installed.
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

last=$(node --import tsx --eval "import { findLastRelease } from './test/releases/last-release.ts';
  console.log(findLastRelease('.') ?? '')")
if [ -z "$last" ]; then
  echo 'Breaking changes were not looked for: this clone has no release to compare with.'
  exit 0
fi
git show "$last:openapi.json" >"$work/released.json"

oasdiff=.local/bin/oasdiff
if [ ! -x "$oasdiff" ] && command -v go >/dev/null; then
  GOBIN="$PWD/.local/bin" GOFLAGS=-p=2 go install github.com/oasdiff/oasdiff@v1.35.0
fi
if [ ! -x "$oasdiff" ]; then
  echo 'Breaking changes were not looked for: that needs oasdiff, which is installed where Go is.'
  exit 0
fi

# A webhook is a request to the merchant: a member that it gains breaks nobody, and one that it loses does. So calls and
# webhooks are compared apart.
without() {
  node -e 'const [file, part] = process.argv.slice(1);
    console.log(JSON.stringify({ ...JSON.parse(fs.readFileSync(file)), [part]: {} }))' "$1" "$2"
}
for part in webhooks paths; do
  without "$work/released.json" "$part" >"$work/released-without-$part.json"
  without openapi.json "$part" >"$work/new-without-$part.json"
done
levels=test/openapi/oasdiff-levels.txt
(cat "$levels" && echo 'new-required-request-property info' && echo 'request-property-removed err') \
  >"$work/webhook-levels.txt"
"$oasdiff" breaking "$work/released-without-webhooks.json" "$work/new-without-webhooks.json" \
  --fail-on ERR --severity-levels "$levels"
"$oasdiff" breaking "$work/released-without-paths.json" "$work/new-without-paths.json" \
  --fail-on ERR --severity-levels "$work/webhook-levels.txt"
