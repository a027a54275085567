#!/usr/bin/env bash
# Installs, upgrades, rolls back and removes the Helm chart, with each example, on a real Kubernetes API server, which it builds:
# minutes, once. There are no machines and no controllers: no pod runs (node.sh runs them), and this script ends the jobs. What
# the server judges is every object, with defaults and validation, and every pod against the standard `restricted`. It needs
# Go, kubectl, openssl and Debian's etcd-server; and `npm run lint:chart` first, which installs Helm.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/chart/cluster.sh
operator=github.com/prometheus-operator/prometheus-operator@v0.92.1
trap 'stop_started; rm -rf "$work"' EXIT

(build_kubernetes)
start_server
crds="$(cd / && go mod download -json "$operator" | sed -n 's/.*"Dir": "\(.*\)",/\1/p')/example/prometheus-operator-crd"
kubectl apply --server-side -f "$crds/monitoring.coreos.com_servicemonitors.yaml" \
  -f "$crds/monitoring.coreos.com_prometheusrules.yaml"
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
