# What the scripts beside it share: they source this file in the root of the repository. It builds Kubernetes once, starts etcd
# and the API server, and stops all that was started.
# Kubernetes 1.35 is the last version that works with the containerd of Debian 12.
version=1.35.4
tools="$PWD/.local/bin"
kubernetes="$tools/kubernetes-$version"
chart=deploy/helm/payments
work="${work:-$(mktemp -d)}"
running=()
export began="${began:-$EPOCHSECONDS}"

# Prints what begins now, and after how many seconds.
step() { printf '%4d s  %s\n' "$((EPOCHSECONDS - began))" "$*"; }

start() {
  local log="$work/$1.log"
  shift
  "$@" >"$log" 2>&1 &
  running+=($!)
}

stop_started() {
  # The last one first: the server cannot end well without etcd.
  for ((at = ${#running[@]} - 1; at >= 0; at--)); do
    kill "${running[at]}" 2>/dev/null || true
    wait "${running[at]}" 2>/dev/null || true
  done
}

# Waits up to so many seconds until a command succeeds, and says what did not come.
until_true() {
  local within="$1" what="$2"
  shift 2
  for ((at = 0; at < within * 2; at++)); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.5
  done
  echo "After $within s: no $what"
  return 1
}

# Kubernetes' modules replace each other, so that `go install` does not take them: a module of our own says the same. All
# programs are built at once, since they have most packages in common.
build_kubernetes() {
  [ ! -e "$kubernetes" ] || return 0
  step "Building Kubernetes $version (about 10 minutes of CPU time, once)"
  mkdir "$work/kubernetes"
  cd "$work/kubernetes"
  local module programs=(kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy)
  module="$(cd / && go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)",/\1/p')"
  printf 'module node\ngo 1.25\nrequire k8s.io/kubernetes v%s\n' "$version" >go.mod
  sed -n "s/^\t\(k8s.io\/[^ ]*\) v0.0.0$/replace \1 => \1 v0.${version#1.}/p" "$module" >>go.mod
  {
    printf '//go:build tools\n\npackage node\n\n'
    printf 'import _ "k8s.io/kubernetes/cmd/%s"\n' "${programs[@]}"
  } >node.go
  go mod tidy 2>&1 | { grep -v '^go: \(downloading\|finding\|found\)' || true; }
  local named=k8s.io/component-base/version
  mkdir built
  GOFLAGS='-p=2 -buildvcs=false' go build -o built/ \
    -ldflags="-s -w -X $named.gitVersion=v$version -X $named.gitMajor=1 -X $named.gitMinor=${version:2:2}" \
    "${programs[@]/#/k8s.io/kubernetes/cmd/}"
  mkdir -p "$tools"
  mv built "$kubernetes"
}

# Starts etcd and the API server, and makes the namespace `payments`, which takes pods of the standard `restricted` only.
start_server() {
  start etcd etcd --data-dir "$work/etcd" --listen-client-urls http://127.0.0.1:23790 \
    --advertise-client-urls http://127.0.0.1:23790 --listen-peer-urls http://127.0.0.1:23800
  openssl genrsa -out "$work/accounts.key" 2048 2>/dev/null
  local token
  token="$(openssl rand -hex 16)"
  echo "$token,admin,admin,system:masters" >"$work/tokens.csv"
  start server "$kubernetes/kube-apiserver" --etcd-servers http://127.0.0.1:23790 --bind-address 127.0.0.1 \
    --secure-port 26443 --cert-dir "$work/certificates" --token-auth-file "$work/tokens.csv" \
    --authorization-mode RBAC --service-account-issuer https://kubernetes.default.svc \
    --service-account-signing-key-file "$work/accounts.key" --service-account-key-file "$work/accounts.key" \
    --service-cluster-ip-range 10.0.0.0/24 --kubelet-preferred-address-types InternalIP "$@"
  cat >"$work/config" <<CONFIG
apiVersion: v1
kind: Config
clusters: [{ name: here, cluster: { server: 'https://127.0.0.1:26443', insecure-skip-tls-verify: true } }]
users: [{ name: admin, user: { token: $token } }]
contexts: [{ name: here, context: { cluster: here, user: admin, namespace: payments } }]
current-context: here
CONFIG
  export KUBECONFIG="$work/config"
  until_true 120 'API server' kubectl get --raw /readyz || { tail -5 "$work/server.log" && exit 1; }
  kubectl create namespace payments
  kubectl label namespace payments pod-security.kubernetes.io/enforce=restricted
}

helm() { "$tools/helm" "$@" 2> >(grep -v 'found symbolic link' >&2); }
