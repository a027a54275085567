{{/*
Settings of every process but the console, as a dictionary in YAML. Takes a list of the root and more settings. Names and
defaults are those of docs/settings.md.
*/}}
{{- define "payments.settings" -}}
{{- $values := (index . 0).Values -}}
{{- if and (not $values.results.existingClaim) (not (get $values.settings "BLOB_S3_BUCKET")) -}}
{{- fail "Every API and worker must see the same results: set settings.BLOB_S3_BUCKET or results.existingClaim" -}}
{{- end -}}
{{- $fixed := dict "HOST" "0.0.0.0" "PORT" "3000" "METRICS_HOST" "0.0.0.0" "METRICS_PORT" "9464" -}}
{{- toYaml (mergeOverwrite (deepCopy $values.settings) (index . 1) $fixed) -}}
{{- end -}}

{{/* The settings of the API. */}}
{{- define "payments.api.settings" -}}
{{- include "payments.settings" (list . .Values.api.settings) -}}
{{- end -}}

{{/* The settings of the console, which reads none of the others. */}}
{{- define "payments.console.settings" -}}
{{- $fixed := dict "CONSOLE_HOST" "0.0.0.0" "CONSOLE_PORT" "3001" "METRICS_HOST" "0.0.0.0" "METRICS_PORT" "9464" -}}
{{- $api := dict "CONSOLE_API_URL" (printf "http://%s-api:3000" (include "payments.name" .)) "ALLOW_PLAIN_HTTP" "1" -}}
{{- $shared := pick .Values.settings "PUBLIC_URL" "LOG_LEVEL" "OTEL_EXPORTER_OTLP_ENDPOINT" "TRUST_PROXY" "CONSOLE_OIDC_ISSUER" "CONSOLE_OIDC_CLIENT_ID" -}}
{{- toYaml (mergeOverwrite $shared $api (deepCopy .Values.console.settings) $fixed) -}}
{{- end -}}

{{/*
How long a pod may take to stop, in whole seconds. Takes a list of settings, and of a setting's name, its default and a
factor: the process drains, then waits for its longest request and 2 s. 3 s are to spare.
*/}}
{{- define "payments.graceSeconds" -}}
{{- $settings := index . 0 -}}
{{- $drain := get $settings "SHUTDOWN_DRAIN_MS" | default "0" | int -}}
{{- $longest := get $settings (index . 1) | default (index . 2) | int | mul (index . 3) -}}
{{- div (add $drain $longest 5999) 1000 -}}
{{- end -}}
