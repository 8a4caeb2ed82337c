{{- define "bravo.hookLabels" -}}
{{ include "bravo.labels" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- /* Only what its Job needs at its moment, gone when it succeeded. */}}
{{- define "bravo.hook" -}}
helm.sh/hook: {{ .when }}
helm.sh/hook-weight: {{ .weight | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}

{{- define "bravo.setupEnvironment" -}}
- {name: BRAVO_SETUP_RELEASE, value: {{ include "bravo.name" . }}}
- {name: BRAVO_SETUP_OWN_NATS, value: {{ .Values.nats.enabled | quote }}}
- name: BRAVO_SETUP_LABELS
  value: {{ dict "app.kubernetes.io/name" "bravo" "app.kubernetes.io/instance" .Release.Name "app.kubernetes.io/component" "keys" | toJson | quote }}
{{- if not .Values.postgres.enabled }}
- {name: BRAVO_SETUP_DATABASE_URL, valueFrom: {secretKeyRef: {name: {{ .Values.database.existingSecret }}, key: url}}}
{{- end }}
{{- end }}

{{- /* {root, component, verb, account, volume}: the pod of a setup Job. */}}
{{- define "bravo.setupPod" -}}
metadata:
  labels:
    {{- include "bravo.selector" . | nindent 4 }}
spec:
  restartPolicy: Never
  {{- if .account }}
  serviceAccountName: {{ .account }}
  {{- end }}
  automountServiceAccountToken: {{ ne .account "" }}
  enableServiceLinks: false
  {{- include "bravo.pullSecrets" .root | nindent 2 }}
  securityContext:
    {{- include "bravo.podSecurity" .root | nindent 4 }}
  containers:
    - name: setup
      image: {{ include "bravo.image" (dict "root" .root "image" "setup") }}
      imagePullPolicy: {{ .root.Values.images.pullPolicy }}
      args: [{{ .verb }}]
      env:
        {{- include "bravo.setupEnvironment" .root | nindent 8 }}
      terminationMessagePolicy: FallbackToLogsOnError
      resources: {requests: {cpu: 20m, memory: 96Mi}, limits: {memory: 512Mi}}
      securityContext:
        {{- include "bravo.containerSecurity" .root | nindent 8 }}
      volumeMounts:
        - {name: scratch, mountPath: /tmp}
        {{- if .keys }}
        - {name: root-keys, mountPath: /etc/bravo/root-keys, readOnly: true}
        {{- end }}
  volumes:
    - name: scratch
      emptyDir: {sizeLimit: 64Mi}
    {{- if .keys }}
    - name: root-keys
      secret: {secretName: {{ include "bravo.name" .root }}-root-keys, defaultMode: 0440}
    {{- end }}
{{- end }}

{{- define "bravo.migrationSpec" -}}
backoffLimit: 4
activeDeadlineSeconds: 900
template:
  {{- include "bravo.setupPod" (dict "root" . "component" "migrations" "verb" "migrate" "account" "" "keys" true) | nindent 2 }}
{{- end }}
