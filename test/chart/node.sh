#!/usr/bin/env bash
# Runs the Helm chart on a real node of Kubernetes: builds the image and Kubernetes (once), starts kubelet, containerd and all
# else, installs the chart, charges, deletes pods, upgrades and rolls back under load, and uninstalls.
# It needs root, Go, kubectl, openssl and these packages of Debian: etcd-server containerd runc containernetworking-plugins
# nftables buildah debootstrap; and `npm run lint:chart` first, which installs Helm. Its processes,
# mounts and networks are in namespaces of their own, which end with it.
set -euo pipefail
cd "$(dirname "$0")/../.."
group=payments-node
settings=(kernel.panic kernel.panic_on_oops vm.overcommit_memory vm.panic_on_oom kernel.keys.root_maxkeys
  kernel.keys.root_maxbytes)

# Outside of the namespaces: what needs the network, and what must be put back at the end.
if [ -z "${INSIDE_NODE:-}" ]; then
  . test/chart/cluster.sh
  before="$(sysctl "${settings[@]}")"
  put_back() {
    # The first process of the namespaces: its end ends all of theirs.
    if [ -n "${inside:-}" ]; then kill -KILL "$inside" 2>/dev/null && wait "$inside" 2>/dev/null || true; fi
    # Kubelet sets them for the whole machine.
    sysctl --quiet --load=- <<<"$before"
    sleep 1
    find /sys/fs/cgroup -depth -type d -path "*/$group*" -exec rmdir {} + || true
    rm -rf "$work"
  }
  trap put_back EXIT
  chmod 711 "$work"
  (build_kubernetes)
  bash test/chart/image.sh "$work/image.tar"
  node --import tsx test/chart/outside.ts
  for controller in /sys/fs/cgroup/*/; do
    [ ! -e "$controller/cgroup.procs" ] || mkdir -p "$controller/$group"
  done
  INSIDE_NODE=1 work="$work" unshare --mount --net --pid --fork --kill-child --mount-proc bash "$0" &
  inside=$!
  wait "$inside"
  exit
fi

. test/chart/cluster.sh
# Of the node, Postgres and Temporal.
here=10.89.0.1
processor=10.0.0.40
trap stop_started EXIT

start_node() {
  step 'Starting etcd and the API server'
  ip link set lo up
  ip address add "$here/32" dev lo
  # Addresses of Services, which kube-proxy replaces.
  ip route add 10.0.0.0/24 dev lo src "$here"
  sysctl --quiet net.ipv4.ip_forward=1
  mount -t tmpfs tmpfs /run
  # Kubelet and containerd write under /var: not into that of this machine.
  mkdir "$work/var" "$work/var-work"
  mount -t overlay -o "lowerdir=/var,upperdir=$work/var,workdir=$work/var-work" overlay /var
  start_server --advertise-address "$here"
  step 'Starting the node'
  start controllers "$kubernetes/kube-controller-manager" --kubeconfig "$KUBECONFIG" --leader-elect=false \
    --secure-port 0 --service-account-private-key-file "$work/accounts.key"
  start scheduler "$kubernetes/kube-scheduler" --kubeconfig "$KUBECONFIG" --leader-elect=false --secure-port 0
  mkdir "$work/networks"
  cat >"$work/networks/pods.conflist" <<NETWORK
{ "cniVersion": "0.4.0", "name": "pods", "plugins": [{ "type": "ptp", "ipam": { "type": "host-local",
  "subnet": "10.88.0.0/24", "routes": [{ "dst": "0.0.0.0/0" }] } }] }
NETWORK
  cat >"$work/containerd.toml" <<CONTAINERD
version = 2
root = "$work/containerd"
state = "/run/containerd"
[grpc]
address = "/run/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "localhost/pause:1"
# Not every machine lets a process ask to be killed last.
restrict_oom_score_adj = true
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "$work/networks"
CONTAINERD
  start containerd containerd --config "$work/containerd.toml"
  until_true 30 containerd ctr --address /run/containerd.sock version
  for archive in "$work/image.tar.pause" "$work/image.tar"; do
    ctr --address /run/containerd.sock --namespace k8s.io images import "$archive"
    rm "$archive"
  done
  ctr --address /run/containerd.sock --namespace k8s.io images tag \
    localhost/payments-api:test localhost/payments-api:next
  touch "$work/resolv.conf"
  cat >"$work/kubelet.yaml" <<KUBELET
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failCgroupV1: false
failSwapOn: false
cgroupDriver: cgroupfs
cgroupRoot: /$group
enforceNodeAllocatable: []
containerRuntimeEndpoint: unix:///run/containerd.sock
resolvConf: $work/resolv.conf
volumePluginDir: $work/plugins
evictionHard: { memory.available: 100Mi }
imageGCHighThresholdPercent: 100
authentication: { anonymous: { enabled: true }, webhook: { enabled: false } }
authorization: { mode: AlwaysAllow }
KUBELET
  start kubelet "$kubernetes/kubelet" --config "$work/kubelet.yaml" --kubeconfig "$KUBECONFIG" \
    --hostname-override node --node-ip "$here" --root-dir "$work/kubelet"
  start proxy "$kubernetes/kube-proxy" --kubeconfig "$KUBECONFIG" --hostname-override node --proxy-mode nftables \
    --cluster-cidr 10.88.0.0/24 --conntrack-max-per-core 0 --conntrack-tcp-timeout-established 0 \
    --conntrack-tcp-timeout-close-wait 0
  until_true 60 'node' kubectl get node node
  kubectl wait --for=condition=Ready node/node --timeout=120s || { tail -20 "$work/kubelet.log" && exit 1; }
}

# Postgres and Temporal beside the node, and the sandbox as a pod of the same image.
start_outside() {
  step 'Starting Postgres and Temporal'
  start outside node --import tsx test/chart/outside.ts "$work" "$here"
  until_true 60 'Postgres and Temporal' test -s "$work/secret.json" || { cat "$work/outside.log" && exit 1; }
  kubectl create -f "$work/secret.json"
  install -d -o 1000 -g 1000 "$work/results"
  kubectl create -f - <<OBJECTS
apiVersion: v1
kind: PersistentVolume
metadata: { name: results }
spec:
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteMany]
  storageClassName: ''
  hostPath: { path: $work/results }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: results }
spec:
  accessModes: [ReadWriteMany]
  storageClassName: ''
  volumeName: results
  resources: { requests: { storage: 1Gi } }
OBJECTS
  cat >"$work/values.yaml" <<VALUES
image: localhost/payments-api:test
settings:
  PUBLIC_URL: https://payments.example
  PROCESSOR_URL: http://$processor:4000
  ALLOW_PLAIN_HTTP: '1'
  TEMPORAL_ADDRESS: $here:7233
results: { existingClaim: results }
# So little that four pods and the new ones of a release fit on two cores.
api: { resources: { requests: { cpu: 50m } } }
worker: { resources: { requests: { cpu: 50m } } }
VALUES
}

start_processor() {
  kubectl create -f - <<OBJECTS
apiVersion: v1
kind: Service
metadata: { name: processor }
spec: { clusterIP: $processor, selector: { app: processor }, ports: [{ port: 4000 }] }
---
apiVersion: v1
kind: Pod
metadata: { name: processor, labels: { app: processor } }
spec:
  automountServiceAccountToken: false
  securityContext: { runAsNonRoot: true, fsGroup: 1000, seccompProfile: { type: RuntimeDefault } }
  containers:
    - name: processor
      image: localhost/payments-api:test
      command: [node, --enable-source-maps, dist/deployed/sandbox/main.js]
      env:
        - { name: HOST, value: 0.0.0.0 }
        - { name: PORT, value: '4000' }
        - { name: SANDBOX_ALLOW_NETWORK, value: '1' }
        - { name: PROCESSOR_STORE, value: /app/.local/processor/journal.jsonl }
        - { name: PROCESSOR_SECRET, valueFrom: { secretKeyRef: { name: payments, key: PROCESSOR_SECRET } } }
        - { name: PROCESSOR_NOTIFY_URL, value: 'http://$api:3000/processor/notifications' }
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
      readinessProbe: { tcpSocket: { port: 4000 }, periodSeconds: 1 }
      volumeMounts: [{ name: journal, mountPath: /app/.local/processor }]
  volumes: [{ name: journal, emptyDir: {} }]
OBJECTS
  kubectl wait --for=condition=Ready pod/processor --timeout=60s
}

admin() { kubectl exec deploy/payments-api -- node --import tsx admin/main.ts "$@" --json; }
member() { node -pe 'JSON.parse(process.argv[2])[process.argv[1]]' "$1" "$2"; }
address_of() { kubectl get pods -l "app.kubernetes.io/component=$1" -o 'jsonpath={.items[0].status.podIP}'; }
call() { curl --silent --show-error --fail-with-body --max-time 20 "$@"; }

take_token() {
  local answer
  answer="$(call -u "$client:$secret" -d grant_type=client_credentials "http://$1:3000/oauth2/token")"
  token="$(member access_token "$answer")"
}

# Makes a charge at an address, and sees it settle.
charge() {
  local answer id
  answer="$(call "http://$1:3000/v1/charges" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
    -H "Idempotency-Key: $RANDOM-$RANDOM-$RANDOM" -w '\n%{http_code}' \
    -d "{\"amount\":1999,\"currency\":\"EUR\",\"payment_method\":\"$2\"}")"
  [ "${answer##*$'\n'}" = "$3" ] || { echo "$answer" && exit 1; }
  id="$(member id "${answer%$'\n'*}")"
  has_settled() {
    [ "$(member status "$(call "http://$1:3000/v1/charges/$2" -H "Authorization: Bearer $token")")" = succeeded ]
  }
  until_true 30 "success of $2" has_settled "$1" "$id"
  echo "A charge with $2 had the answer $3 and succeeded."
}

# The memory of each pod, in MiB, as Kubernetes reads it from the pods' cgroups.
show_memory() {
  kubectl get --raw /api/v1/nodes/node/proxy/stats/summary | node -e '
    let text = ""; process.stdin.on("data", (part) => (text += part)).on("end", () => {
      for (const { podRef, memory } of JSON.parse(text).pods)
        console.log(podRef.name, Math.round(memory.workingSetBytes / 2 ** 20), "MiB, its processes",
          Math.round(memory.rssBytes / 2 ** 20));
    });'
}

roll() {
  local since="$SECONDS"
  "$@" --wait --timeout 10m >/dev/null || {
    kubectl get pods
    kubectl get events | tail -20
    exit 1
  }
  kubectl get pods
  step "It took $((SECONDS - since)) s: ${*:1:2}"
}

start_node
start_outside

step 'Installing'
roll helm install payments "$chart" --values "$work/values.yaml"
api="$(kubectl get service payments-api -o 'jsonpath={.spec.clusterIP}')"
start_processor
account="$(member id "$(admin account create 'Corner shop' --rate 100000 --burst 100000)")"
answer="$(admin client create "$account" Checkout --scopes all)"
client="$(member id "$answer")"
secret="$(member secret "$answer")"
pod="$(address_of api)"
take_token "$pod"
charge "$pod" tok_visa 201
charge "$pod" tok_async 202
show_memory

step 'A worker and an API are deleted'
for component in worker api; do
  kubectl delete "$(kubectl get pods -l "app.kubernetes.io/component=$component" -o name | head -1)"
  kubectl rollout status "deploy/payments-$component" --timeout 120s
  charge "$(address_of api)" tok_async 202
done

step 'Upgrading in both steps, with the console, then rolling back, all under load'
answer="$(admin console client)"
kubectl create secret generic payments-console --from-literal=CONSOLE_CLIENT_SECRET="$(member secret "$answer")" \
  --from-literal=CONSOLE_KEY="$(openssl rand -base64 32)"
cat >>"$work/values.yaml" <<VALUES
console:
  enabled: true
  settings:
    CONSOLE_URL: https://console.example
    CONSOLE_CLIENT_ID: $(member id "$answer")
    # There are no names in this cluster.
    CONSOLE_API_URL: http://$api:3000
VALUES
take_token "$api"
start load node --import tsx test/chart/load.ts "http://$api:3000" "$token"
load=$!
until_true 30 load grep -q begun "$work/load.log"
roll helm upgrade payments "$chart" --values "$work/values.yaml" --set image=localhost/payments-api:next \
  --set api.image=localhost/payments-api:test
roll helm upgrade payments "$chart" --values "$work/values.yaml" --set image=localhost/payments-api:next \
  --set settings.LOG_LEVEL=warn
show_memory
console="$(address_of console)"
call "http://$console:3001/readyz" >/dev/null
roll helm rollback payments 1
kill "$load"
wait "$load" || { cat "$work/load.log" && exit 1; }
tail -1 "$work/load.log"
charge "$(address_of api)" tok_visa 201

step 'Uninstalling'
helm uninstall payments --wait --timeout 5m
is_gone() {
  [ -z "$(kubectl get all,networkpolicies,poddisruptionbudgets -l app.kubernetes.io/instance=payments -o name)" ]
}
# Pods have their time to stop.
until_true 60 'end of all objects' is_gone
kubectl delete pod processor
echo "The chart runs on a node of Kubernetes $version."
