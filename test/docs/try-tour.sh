#!/usr/bin/env bash
# Follows the three changes of CONTRIBUTING.md in a scratch copy: applies their patches, runs their commands, and the test of
# each. They are made in one copy, so types and document are made once.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$copy"
ln -s "$root/node_modules" "$copy/node_modules"
ln -s "$root/client/node_modules" "$copy/client/node_modules"
cd "$copy"

changed=()
# make_change NAME MOST: applies a patch that changes at most so many files, tests not counted.
make_change() {
  local patch=docs/tour/$1.patch files
  git apply -C1 "$patch" || {
    echo "$patch no longer applies. Make the change by hand (CONTRIBUTING.md), and write the patch again:" >&2
    echo "git add -N . && git diff -- api console db domain startup test > $patch" >&2
    exit 1
  }
  mapfile -t files < <(sed -n 's#^diff --git a/.* b/##p' "$patch")
  changed+=("${files[@]}")
  local count
  count=$(printf '%s\n' "${files[@]}" | grep -vc '^test/')
  [ "$count" -le "$2" ] || { echo "$patch changes $count files; CONTRIBUTING.md promises $2" >&2; exit 1; }
}
make_change new-charge-field 6
make_change new-setting 2
make_change new-noun 9

# The commands of the page: they write what nobody writes by hand.
npm run -s openapi
node --import tsx test/versions/write.ts
node --import tsx test/docs/write-settings.ts

npm run -s types
mapfile -t sources < <(printf '%s\n' "${changed[@]}" | grep '\.tsx\?$')
npx oxlint --deny-warnings "${sources[@]}"
npm test -- test/domain/versions.test.ts test/api/operations/export-lines.test.ts test/docs/settings.test.ts \
  test/api/payments/products.test.ts
grep -q invoice_number openapi.json
grep -q OPERATION_RETRY_SECONDS docs/settings.md
grep -q 'class Products' client/src/resources/products.ts client/python/src/payments_client/resources/products.py
