#!/usr/bin/env bash
# Prints the last release that this clone has: its tag, or where tags were not fetched the commit that `npm run release`
# made for it. Prints nothing if the clone has neither.
set -euo pipefail
git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null ||
  git log --format='%H %s' | awk '/^[0-9a-f]+ Release [0-9]+\.[0-9]+\.[0-9]+$/ && !found { print $1; found = 1 }'
