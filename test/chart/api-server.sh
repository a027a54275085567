#!/usr/bin/env bash
# Installs, upgrades, rolls back and removes the Helm chart on a real Kubernetes API server, which it builds: minutes, once.
# There are no machines and no controllers: no pod runs, and this script ends the jobs. What the server judges is every
# object, with defaults and validation, and every pod against the standard `restricted`. It needs Go, kubectl, openssl and
# Debian's etcd-server; and `npm run lint:chart` first, which installs Helm.
set -euo pipefail
cd "$(dirname "$0")/../.."
tools="$PWD/.local/bin"
chart=deploy/helm/payments
version=1.36.3
operator=github.com/prometheus-operator/prometheus-operator@v0.92.1
work="$(mktemp -d)"
etcd="$(command -v etcd)"
running=()
stop() {
  # The last one first: the server cannot end well without etcd.
  for ((at = ${#running[@]} - 1; at >= 0; at--)); do
    kill "${running[at]}" 2>/dev/null || true
    wait "${running[at]}" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap stop EXIT

# Kubernetes' modules replace each other, so that `go install` does not take them: a module of our own says the same.
build_server() {
  mkdir "$work/server"
  cd "$work/server"
  local module
  module="$(cd / && go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)",/\1/p')"
  printf 'module server\ngo 1.26\nrequire k8s.io/kubernetes v%s\n' "$version" >go.mod
  sed -n "s/^\t\(k8s.io\/[^ ]*\) v0.0.0$/replace \1 => \1 v0.${version#1.}/p" "$module" >>go.mod
  printf '//go:build tools\n\npackage server\n\nimport _ "k8s.io/kubernetes/cmd/kube-apiserver"\n' >server.go
  go mod tidy
  local named=k8s.io/component-base/version
  GOFLAGS='-buildvcs=false' go build -o "$tools/kube-apiserver-$version" \
    -ldflags="-s -w -X $named.gitVersion=v$version -X $named.gitMajor=1 -X $named.gitMinor=${version:2:2}" \
    k8s.io/kubernetes/cmd/kube-apiserver
}
[ -x "$tools/kube-apiserver-$version" ] || (build_server)

start_server() {
  "$etcd" --data-dir "$work/etcd" --listen-client-urls http://127.0.0.1:23790 \
    --advertise-client-urls http://127.0.0.1:23790 --listen-peer-urls http://127.0.0.1:23800 >"$work/etcd.log" 2>&1 &
  running+=($!)
  openssl genrsa -out "$work/accounts.key" 2048 2>/dev/null
  local token
  token="$(openssl rand -hex 16)"
  echo "$token,admin,admin,system:masters" >"$work/tokens.csv"
  "$tools/kube-apiserver-$version" --etcd-servers http://127.0.0.1:23790 --bind-address 127.0.0.1 --secure-port 26443 \
    --cert-dir "$work/certificates" --token-auth-file "$work/tokens.csv" --authorization-mode RBAC \
    --service-account-issuer https://kubernetes.default.svc --service-account-signing-key-file "$work/accounts.key" \
    --service-account-key-file "$work/accounts.key" --service-cluster-ip-range 10.0.0.0/24 >"$work/server.log" 2>&1 &
  running+=($!)
  cat >"$work/config" <<CONFIG
apiVersion: v1
kind: Config
clusters: [{ name: here, cluster: { server: 'https://127.0.0.1:26443', insecure-skip-tls-verify: true } }]
users: [{ name: admin, user: { token: $token } }]
contexts: [{ name: here, context: { cluster: here, user: admin, namespace: payments } }]
current-context: here
CONFIG
  export KUBECONFIG="$work/config"
  for _ in $(seq 120); do kubectl get --raw /readyz >/dev/null 2>&1 && return; sleep 1; done
  tail -5 "$work/server.log"
  exit 1
}
start_server
crds="$(cd / && go mod download -json "$operator" | sed -n 's/.*"Dir": "\(.*\)",/\1/p')/example/prometheus-operator-crd"
kubectl apply --server-side -f "$crds/monitoring.coreos.com_servicemonitors.yaml" \
  -f "$crds/monitoring.coreos.com_prometheusrules.yaml"
kubectl create namespace payments
kubectl label namespace payments pod-security.kubernetes.io/enforce=restricted
kubectl create serviceaccount default

# Plays the controller of jobs: each ends well.
end_jobs() {
  local now job
  while sleep 0.5; do
    for job in $(kubectl get jobs -o name 2>/dev/null); do
      now="$(date -u +%FT%TZ)"
      kubectl patch "$job" --subresource=status --type=merge -p "{\"status\":{\"startTime\":\"$now\",
        \"completionTime\":\"$now\",\"succeeded\":1,\"uncountedTerminatedPods\":{},\"conditions\":[
        {\"type\":\"SuccessCriteriaMet\",\"status\":\"True\"},{\"type\":\"Complete\",\"status\":\"True\"}]}}" || true
    done
  done >/dev/null 2>&1
}
end_jobs &
running+=($!)

helm() { "$tools/helm" "$@" 2> >(grep -v 'found symbolic link' >&2); }
for example in small full; do
  values="$chart/examples/$example.yaml"
  helm template payments "$chart" --kube-version "$version" --values "$values" |
    node --import tsx test/chart/pods.ts | kubectl apply --validate=strict -f -
  kubectl delete pods --all --now
  helm install payments "$chart" --values "$values" --timeout 60s
  helm upgrade payments "$chart" --values "$values" --set image=new:1 --set api.image=old:1 --timeout 60s
  helm upgrade payments "$chart" --values "$values" --set image=new:1 --timeout 60s
  helm rollback payments 1
  helm uninstall payments
  [ -z "$(kubectl get all,networkpolicies,poddisruptionbudgets,servicemonitors -o name)" ]
done
echo "Kubernetes $version takes every object and every pod of the chart."
