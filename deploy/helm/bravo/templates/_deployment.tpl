{{- /* The pod of a service: {root, component}. */}}
{{- define "bravo.podTemplate" -}}
{{- $facts := index (fromYaml (include "bravo.components" .root)) .component -}}
{{- $v := index .root.Values $facts.values -}}
{{- $name := include "bravo.name" .root -}}
metadata:
  labels:
    {{- include "bravo.selector" . | nindent 4 }}
    {{- with $v.extra.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  annotations:
    bravo.dev/settings: {{ include "bravo.environment" . | sha256sum | trunc 16 }}
    {{- with $v.extra.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  serviceAccountName: {{ $name }}-{{ .component }}
  automountServiceAccountToken: {{ eq .component "agent-orchestrator" }}
  enableServiceLinks: false
  terminationGracePeriodSeconds: 30
  {{- include "bravo.pullSecrets" .root | nindent 2 }}
  {{- include "bravo.priority" .root | nindent 2 }}
  securityContext:
    {{- include "bravo.podSecurity" .root | nindent 4 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "bravo.selector" . | nindent 10 }}
  {{- with $v.extra.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $v.extra.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $v.extra.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  initContainers:
    - name: wait
      image: {{ include "bravo.image" (dict "root" .root "image" "setup") }}
      imagePullPolicy: {{ .root.Values.images.pullPolicy }}
      args: [wait]
      env:
        - {name: BRAVO_SETUP_APP, value: {{ .component }}}
        {{- if $facts.nats }}
        - {name: BRAVO_NATS_URL, value: {{ include "bravo.natsUrl" .root | quote }}}
        {{- end }}
        {{- if $facts.database }}
        - {name: BRAVO_DATABASE_URL, valueFrom: {secretKeyRef: {name: {{ $name }}-{{ .component }}, key: database-url}}}
        {{- end }}
      resources: {requests: {cpu: 10m, memory: 48Mi}, limits: {memory: 192Mi}}
      securityContext:
        {{- include "bravo.containerSecurity" .root | nindent 8 }}
  containers:
    - name: {{ .component }}
      image: {{ include "bravo.image" (dict "root" .root "image" .component) }}
      imagePullPolicy: {{ .root.Values.images.pullPolicy }}
      env:
        - {name: BRAVO_ENV, value: {{ ternary "development" "production" (eq .root.Values.environment "evaluation") }}}
        - {name: BRAVO_HOST, value: 0.0.0.0}
        - {name: BRAVO_HTTP_PORT, value: "8080"}
        - {name: BRAVO_LOG_LEVEL, value: {{ .root.Values.logLevel }}}
        {{- with .root.Values.otlpEndpoint }}
        - {name: BRAVO_OTLP_ENDPOINT, value: {{ . | quote }}}
        {{- end }}
        - {name: BRAVO_SERVICE_KEY_FILE, value: /etc/bravo/keys/service.jwk.json}
        - {name: BRAVO_SERVICE_KEYS_FILE, value: /etc/bravo/keys/services.jwks.json}
        {{- if $facts.grpc }}
        - {name: BRAVO_GRPC_PORT, value: "9090"}
        {{- end }}
        {{- if $facts.database }}
        - {name: BRAVO_DATABASE_URL, valueFrom: {secretKeyRef: {name: {{ $name }}-{{ .component }}, key: database-url}}}
        {{- end }}
        {{- if $facts.nats }}
        - {name: BRAVO_NATS_URL, value: {{ include "bravo.natsUrl" .root | quote }}}
        - {name: BRAVO_NATS_USER, value: {{ $facts.nats }}}
        - {name: BRAVO_NATS_PASSWORD, valueFrom: {secretKeyRef: {name: {{ $name }}-{{ .component }}, key: nats-password, optional: {{ not .root.Values.nats.enabled }}}}}
        {{- end }}
        {{- if eq .component "audit" }}
        - {name: BRAVO_WITNESS_DATABASE_URL, valueFrom: {secretKeyRef: {name: {{ $name }}-audit, key: witness-database-url}}}
        - {name: BRAVO_AUDIT_PRUNER_DATABASE_URL, valueFrom: {secretKeyRef: {name: {{ $name }}-audit, key: pruner-database-url}}}
        {{- end }}
        {{- range $facts.calls }}
        - {name: {{ include "bravo.addressVariable" . }}, value: "{{ $name }}-{{ . }}:{{ ternary "8443" "9090" (eq . "egress") }}"}
        {{- end }}
        {{- range $variable, $value := fromYaml (include "bravo.environment" .) }}
        - {name: {{ $variable }}, value: {{ $value | quote }}}
        {{- end }}
        {{- with $v.extra.env }}{{ toYaml . | nindent 8 }}{{ end }}
      {{- if and (eq .component "model-gateway") $v.existingSecret }}
      envFrom:
        - secretRef: {name: {{ $v.existingSecret }}}
      {{- end }}
      ports:
        - {name: http, containerPort: 8080}
        {{- if $facts.grpc }}
        - {name: grpc, containerPort: 9090}
        {{- end }}
        {{- if eq .component "egress" }}
        - {name: proxy, containerPort: 8443}
        {{- end }}
      startupProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 2
        failureThreshold: 60
        timeoutSeconds: 5
      readinessProbe:
        httpGet: {path: /readyz, port: http}
        periodSeconds: 5
        timeoutSeconds: 5
      livenessProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 10
        timeoutSeconds: 10
        failureThreshold: 6
      resources: {{- toYaml $v.resources | nindent 8 }}
      securityContext:
        {{- include "bravo.containerSecurity" .root | nindent 8 }}
      volumeMounts:
        - {name: keys, mountPath: /etc/bravo/keys, readOnly: true}
        - {name: scratch, mountPath: /tmp}
        {{- if eq .component "sandbox-runner" }}
        - {name: workspaces, mountPath: /var/lib/bravo}
        {{- end }}
        {{- with $v.extra.volumeMounts }}{{ toYaml . | nindent 8 }}{{ end }}
  volumes:
    - name: keys
      secret:
        secretName: {{ $name }}-{{ .component }}
        defaultMode: 0440
    - name: scratch
      emptyDir: {sizeLimit: 512Mi}
    {{- with $v.extra.volumes }}{{ toYaml . | nindent 4 }}{{ end }}
{{- end }}

{{- define "bravo.deployment" -}}
{{- $facts := index (fromYaml (include "bravo.components" .root)) .component -}}
{{- $v := index .root.Values $facts.values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "bravo.name" .root }}-{{ .component }}
  labels:
    {{- include "bravo.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if not (dig "autoscaling" "enabled" false $v) }}
  replicas: {{ $v.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  strategy:
    type: RollingUpdate
    rollingUpdate: {maxUnavailable: 0, maxSurge: 1}
  selector:
    matchLabels:
      {{- include "bravo.selector" . | nindent 6 }}
  template:
    {{- include "bravo.podTemplate" . | nindent 4 }}
{{- end }}

{{- define "bravo.service" -}}
{{- $facts := index (fromYaml (include "bravo.components" .root)) .component -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ include "bravo.name" .root }}-{{ .component }}
  labels:
    {{- include "bravo.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  selector:
    {{- include "bravo.selector" . | nindent 4 }}
  ports:
    - {name: http, port: 8080, targetPort: http}
    {{- if $facts.grpc }}
    - {name: grpc, port: 9090, targetPort: grpc, appProtocol: kubernetes.io/h2c}
    {{- end }}
    {{- if eq .component "egress" }}
    - {name: proxy, port: 8443, targetPort: proxy}
    {{- end }}
{{- end }}

{{- define "bravo.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "bravo.name" .root }}-{{ .component }}
  labels:
    {{- include "bravo.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
automountServiceAccountToken: false
{{- end }}

{{- define "bravo.disruptionBudget" -}}
{{- $facts := index (fromYaml (include "bravo.components" .root)) .component -}}
{{- $v := index .root.Values $facts.values -}}
{{- $least := ternary (dig "autoscaling" "min" 1 $v) $v.replicas (dig "autoscaling" "enabled" false $v) -}}
{{- if gt (int $least) 1 }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "bravo.name" .root }}-{{ .component }}
  labels:
    {{- include "bravo.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "bravo.selector" . | nindent 6 }}
{{- end }}
{{- end }}

{{- define "bravo.autoscaler" -}}
{{- $facts := index (fromYaml (include "bravo.components" .root)) .component -}}
{{- $a := (index .root.Values $facts.values).autoscaling -}}
{{- if $a.enabled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "bravo.name" .root }}-{{ .component }}
  labels:
    {{- include "bravo.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: {{ include "bravo.name" .root }}-{{ .component }}}
  minReplicas: {{ $a.min }}
  maxReplicas: {{ $a.max }}
  metrics:
    - type: Resource
      resource: {name: cpu, target: {type: Utilization, averageUtilization: {{ $a.cpu }}}}
{{- end }}
{{- end }}
