{{- define "bravo.name" -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{- end }}

{{- define "bravo.labels" -}}
app.kubernetes.io/name: bravo
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- /* Labels a selector may rely on: they never change over the life of a release. */}}
{{- define "bravo.selector" -}}
app.kubernetes.io/name: bravo
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "bravo.image" -}}
{{ .root.Values.images.repository }}/{{ .image }}:{{ .root.Values.images.tag }}
{{- end }}

{{- define "bravo.pullSecrets" -}}
{{- with .Values.images.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{- define "bravo.natsUrl" -}}
{{- if .Values.nats.enabled }}nats://{{ include "bravo.name" . }}-nats:4222{{ else }}{{ .Values.nats.url }}{{ end }}
{{- end }}

{{- define "bravo.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "bravo.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "bravo.priority" -}}
{{- if .Values.priority.create }}
priorityClassName: {{ include "bravo.name" . }}-platform
{{- end }}
{{- end }}
