#!/usr/bin/env bash
# Follows the newcomer's tour of CONTRIBUTING.md in a scratch copy: applies its patch, runs its commands and its tests.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
patch=$root/docs/tour/new-charge-field.patch

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$copy"
ln -s "$root/node_modules" "$copy/node_modules"
ln -s "$root/client/node_modules" "$copy/client/node_modules"
cd "$copy"

git apply "$patch" || {
  echo "docs/tour/new-charge-field.patch no longer applies. Make the change of the tour by hand (CONTRIBUTING.md), and write" >&2
  echo "the patch again: git diff -- api db domain test/support > docs/tour/new-charge-field.patch" >&2
  exit 1
}
files=$(grep -c '^diff --git' "$patch")
[ "$files" -le 6 ] || { echo "The tour changes $files files; it promises at most 6" >&2; exit 1; }

npm run -s openapi
node --import tsx test/versions/write.ts
npm run -s types
npm test -- test/domain/charges/charges.test.ts test/domain/versions.test.ts test/api/payments/charges.test.ts \
  test/api/operations/export-lines.test.ts test/api/documents/openapi.test.ts
grep -q invoice_number openapi.json
grep -q invoice_number client/src/schema.ts
