{{/*
What every pod has. Takes a dictionary:
  root, component   for names and labels
  command           a list
  settings          environment variables, by name
  secret            name of a Secret, and the settings in it, which are mounted as files
  resources, graceSeconds
  container         more of the container: ports and probes
  results           whether the folder of results is mounted, where there is one
  pod               more of the pod
*/}}
{{- define "payments.podTemplate" -}}
metadata:
  labels:
    {{- include "payments.selector" (list .root .component) | nindent 4 }}
  {{- with .root.Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  # No process asks Kubernetes for anything.
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  {{- with .graceSeconds }}
  terminationGracePeriodSeconds: {{ . }}
  {{- end }}
  {{- with .pod }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- with .root.Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ .image | default (required "image: the image of this release, with its registry and tag" .root.Values.image) }}
      imagePullPolicy: {{ .root.Values.imagePullPolicy }}
      command: {{ toJson .command }}
      env:
        {{- range $name, $value := .settings }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
        {{- range .secret.settings }}
        - name: {{ . }}_FILE
          value: /run/secrets/payments/{{ . }}
        {{- end }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      resources:
        {{- toYaml .resources | nindent 8 }}
      {{- with .container }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
      volumeMounts:
        - { name: secrets, mountPath: /run/secrets/payments, readOnly: true }
        - { name: temporary, mountPath: /tmp }
        - { name: local, mountPath: /app/.local }
        {{- if and .results .root.Values.results.existingClaim }}
        - { name: results, mountPath: /app/.local/blobs }
        {{- end }}
        {{- with .root.Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: secrets
      secret:
        secretName: {{ .secret.name }}
        # Readable by the group of the pod alone.
        defaultMode: 0440
        items:
          {{- range .secret.settings }}
          - { key: {{ . }}, path: {{ . }} }
          {{- end }}
    - name: temporary
      emptyDir: { sizeLimit: 64Mi }
    - name: local
      emptyDir: { sizeLimit: 64Mi }
    {{- if and .results .root.Values.results.existingClaim }}
    - name: results
      persistentVolumeClaim: { claimName: {{ .root.Values.results.existingClaim }} }
    {{- end }}
    {{- with .root.Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}

{{/* Spreads the pods of a Deployment over zones and machines. Takes a list of the root and the component. */}}
{{- define "payments.spread" -}}
topologySpreadConstraints:
  {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - topologyKey: {{ $key }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    # Of one release: pods of the one before do not count during a rollout.
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- include "payments.selector" $ | nindent 8 }}
  {{- end }}
{{- end -}}

{{/* Of a Deployment: a new pod is ready before an old one stops. */}}
{{- define "payments.rollout" -}}
strategy:
  type: RollingUpdate
  rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
minReadySeconds: 5
revisionHistoryLimit: 3
{{- end -}}

{{/* Probes of a process that serves /livez and /readyz. Takes a list of the port's name and the path of readiness. */}}
{{- define "payments.probes" -}}
startupProbe:
  httpGet: { port: {{ index . 0 }}, path: /livez }
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 60
livenessProbe:
  httpGet: { port: {{ index . 0 }}, path: /livez }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { port: {{ index . 0 }}, path: {{ index . 1 }} }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
{{- end -}}
