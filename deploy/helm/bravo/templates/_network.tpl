{{- define "bravo.dnsEgress" -}}
- to:
    - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: kube-system}}
      podSelector:
        matchLabels:
          {{- toYaml .Values.networkPolicy.dnsLabels | nindent 10 }}
  ports:
    - {protocol: UDP, port: 53}
    - {protocol: TCP, port: 53}
{{- end }}

{{- define "bravo.databaseEgress" -}}
{{- if .Values.postgres.enabled }}
- to:
    - podSelector:
        matchLabels:
          {{- include "bravo.selector" (dict "root" . "component" "postgres") | nindent 10 }}
  ports:
    - {protocol: TCP, port: 5432}
{{- else }}
- to:
  {{- range .Values.database.cidrs }}
    - ipBlock: {cidr: {{ . }}}
  {{- else }}
    - ipBlock: {cidr: 0.0.0.0/0}
  {{- end }}
  ports:
    - {protocol: TCP, port: {{ .Values.database.port }}}
{{- end }}
{{- end }}

{{- define "bravo.natsEgress" -}}
{{- if .Values.nats.enabled }}
- to:
    - podSelector:
        matchLabels:
          {{- include "bravo.selector" (dict "root" . "component" "nats") | nindent 10 }}
  ports:
    - {protocol: TCP, port: 4222}
{{- else }}
- to:
  {{- range .Values.nats.cidrs }}
    - ipBlock: {cidr: {{ . }}}
  {{- else }}
    - ipBlock: {cidr: 0.0.0.0/0}
  {{- end }}
  ports:
    - {protocol: TCP, port: {{ (urlParse .Values.nats.url).host | splitList ":" | last | default "4222" }}}
{{- end }}
{{- end }}

{{- /* Behind its Service the API server has the addresses of its Endpoints; a policy sees those. */}}
{{- define "bravo.apiServerEgress" -}}
{{- $cidrs := .Values.networkPolicy.apiServerCidrs -}}
{{- if not $cidrs -}}
{{- $slices := lookup "discovery.k8s.io/v1" "EndpointSlice" "default" "" -}}
{{- range (dig "items" list (default dict $slices)) }}
{{- if eq (dig "metadata" "labels" "kubernetes.io/service-name" "" .) "kubernetes" }}
{{- range .endpoints }}{{ range .addresses }}{{ $cidrs = append $cidrs (printf "%s/32" .) }}{{ end }}{{ end }}
{{- end }}
{{- end }}
{{- end -}}
- to:
  {{- range $cidrs }}
    - ipBlock: {cidr: {{ . }}}
  {{- else }}
    - ipBlock: {cidr: 0.0.0.0/0}
  {{- end }}
  ports:
    - {protocol: TCP, port: {{ .Values.networkPolicy.apiServerPort }}}
{{- end }}

{{- /* What one service may be asked by and may ask: {root, component}. */}}
{{- define "bravo.networkPolicy" -}}
{{- if .root.Values.networkPolicy.enabled }}
{{- $root := .root -}}
{{- $component := .component -}}
{{- $all := fromYaml (include "bravo.components" .root) -}}
{{- $facts := index $all $component -}}
{{- $callers := list -}}
{{- range $caller, $its := $all }}{{ if has $component $its.calls }}{{ $callers = append $callers $caller }}{{ end }}{{ end -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "bravo.name" .root }}-{{ $component }}
  labels:
    {{- include "bravo.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ $component }}
spec:
  podSelector:
    matchLabels:
      {{- include "bravo.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- range $callers }}
    - from:
        - podSelector:
            matchLabels:
              {{- include "bravo.selector" (dict "root" $root "component" .) | nindent 14 }}
      ports:
        - {protocol: TCP, port: {{ ternary 8443 9090 (eq $component "egress") }}}
    {{- end }}
    {{- if eq $component "gateway" }}
    - ports:
        - {protocol: TCP, port: 8080}
    {{- end }}
    {{- if or (eq $component "tool-broker") (eq $component "model-gateway") }}
    - from:
        - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: {{ .root.Values.agents.namespace }}}}
          podSelector: {matchLabels: {bravo.dev/part: agent-pod}}
      ports:
        - {protocol: TCP, port: 8080}
    {{- end }}
    {{- if .root.Values.monitoring.serviceMonitors }}
    - from:
        - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: {{ .root.Values.monitoring.namespace }}}}
      ports:
        - {protocol: TCP, port: 8080}
    {{- end }}
  egress:
    {{- include "bravo.dnsEgress" .root | nindent 4 }}
    {{- if $facts.database }}{{ include "bravo.databaseEgress" .root | nindent 4 }}{{ end }}
    {{- if $facts.nats }}{{ include "bravo.natsEgress" .root | nindent 4 }}{{ end }}
    {{- range $facts.calls }}
    - to:
        - podSelector:
            matchLabels:
              {{- include "bravo.selector" (dict "root" $root "component" .) | nindent 14 }}
      ports:
        - {protocol: TCP, port: {{ ternary 8443 9090 (eq . "egress") }}}
    {{- end }}
    {{- if eq $component "agent-orchestrator" }}
    - to:
        - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: {{ .root.Values.agents.namespace }}}}
          podSelector: {matchLabels: {bravo.dev/part: agent-pod}}
      ports:
        - {protocol: TCP, port: 42617}
    {{- include "bravo.apiServerEgress" .root | nindent 4 }}
    {{- end }}
    {{- if eq $component "egress" }}
    - to:
        - ipBlock:
            cidr: 0.0.0.0/0
            except: {{- toYaml .root.Values.egress.except | nindent 14 }}
    {{- end }}
{{- end }}
{{- end }}
