#!/usr/bin/env bash
# Holds the Helm chart against `helm lint` and against the schemas of Kubernetes (its oldest and its newest version of the
# list below) and of the Prometheus operator. About 3 s once the tools are there. They are installed where Go and pip are.
set -euo pipefail
cd "$(dirname "$0")/../.."
chart=deploy/helm/payments
tools=.local/bin
schemas=.local/kubernetes-schemas
versions=(1.29.0 1.37.0)
operator=github.com/prometheus-operator/prometheus-operator@v0.92.1

missing() {
  echo "The chart was not checked: $1"
  exit "${CHART_MUST_BE_CHECKED:-0}"
}

if [ ! -x "$tools/helm" ] || [ ! -x "$tools/kubeconform" ]; then
  command -v go >/dev/null || missing 'it needs helm and kubeconform, which are installed where Go is.'
  # 200 s of CPU time on a clean machine. When the time is over, Go keeps what it has compiled for the next run.
  GOBIN="$PWD/$tools" GOFLAGS='-p=2 -buildvcs=false' timeout "${CHART_TOOLS_WITHIN_S:-600}" sh -c \
    'go install -ldflags="-s -w" github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0 &&
     go install -ldflags="-s -w" helm.sh/helm/v3/cmd/helm@v3.21.4' ||
    missing 'helm and kubeconform could not be installed in time.'
fi
if [ ! -f "$schemas/done" ]; then
  command -v python3 >/dev/null && command -v go >/dev/null || missing 'its schemas need Python and Go.'
  rm -rf "$schemas"
  mkdir -p "$schemas"
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes \
    --dest "$schemas" --requirement test/chart/requirements.txt || missing 'its schemas could not be had.'
  operator_files="$(cd "$schemas" && go mod download -json "$operator" | sed -n 's/.*"Dir": "\(.*\)",/\1/p')"
  node --import tsx test/chart/schemas.ts "$schemas" "$operator_files/example/prometheus-operator-crd" "${versions[@]}"
  touch "$schemas/done"
fi

# Helm says of each file that is a symbolic link that it follows it.
quiet_links() {
  "$@" 2> >(grep -v 'found symbolic link' >&2)
}
for example in "$chart"/examples/*.yaml; do
  quiet_links "$tools/helm" lint --strict --quiet "$chart" --values "$example"
  for version in "${versions[@]}"; do
    quiet_links "$tools/helm" template payments "$chart" --namespace payments --kube-version "$version" \
      --values "$example" | "$tools/kubeconform" -strict -summary -schema-location \
        "$schemas/$version/{{.ResourceKind}}{{.KindSuffix}}.json"
  done
done
