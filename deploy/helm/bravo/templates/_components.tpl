{{- /*
Each service: the folder of its app (which names its image and its Secret), the key of its values, whether it has a schema, a user
of the bus and a gRPC port, and whom it calls. The network policies are made from `calls` alone.
*/}}
{{- define "bravo.components" -}}
gateway: {values: gateway, database: false, nats: gateway, grpc: false, calls: [identity, agent-orchestrator, tool-broker, model-gateway, audit, automation]}
identity: {values: identity, database: true, nats: identity, grpc: true, calls: []}
agent-orchestrator: {values: orchestrator, database: true, nats: orchestrator, grpc: true, calls: [identity, tool-broker, model-gateway]}
model-gateway: {values: models, database: true, nats: models, grpc: true, calls: [identity, egress]}
tool-broker: {values: broker, database: true, nats: broker, grpc: true, calls: [identity, agent-orchestrator, sandbox-runner, audit, model-gateway, egress]}
sandbox-runner: {values: sandbox, database: true, nats: "", grpc: true, calls: []}
audit: {values: audit, database: true, nats: audit, grpc: true, calls: [egress]}
automation: {values: automation, database: true, nats: automation, grpc: true, calls: [identity, egress]}
egress: {values: egress, database: true, nats: egress, grpc: false, calls: []}
{{- end }}

{{- /* Environment of one service beyond what all have; every variable is one its app declares. */}}
{{- define "bravo.environment" -}}
{{- $name := include "bravo.name" .root -}}
{{- $v := .root.Values -}}
{{- $development := eq $v.environment "evaluation" -}}
{{- $app := .component -}}
{{- if eq $app "gateway" }}
BRAVO_WEB_DIR: /app/apps/web/dist
BRAVO_PUBLIC_URL: {{ $v.publicUrl }}
{{- else if eq $app "identity" }}
BRAVO_SEALING_KEY_FILE: /etc/bravo/keys/sealing.key
BRAVO_SEED_DEMO: {{ $development | quote }}
{{- else if eq $app "agent-orchestrator" }}
BRAVO_CONTAINER_RUNTIME: kubernetes
BRAVO_MCP_URL: http://{{ $name }}-tool-broker.{{ .root.Release.Namespace }}.svc:8080/mcp/
BRAVO_MODEL_URL: http://{{ $name }}-model-gateway.{{ .root.Release.Namespace }}.svc:8080/v1
BRAVO_POD_NAMESPACE: {{ $v.agents.namespace }}
BRAVO_POD_IMAGE: {{ include "bravo.image" (dict "root" .root "image" "agent-runtime") }}
BRAVO_POD_IMAGE_PULL_POLICY: {{ $v.images.pullPolicy }}
BRAVO_POD_IMAGE_PULL_SECRETS: {{ join "," $v.images.pullSecrets | quote }}
BRAVO_POD_SERVICE_ACCOUNT: {{ $name }}-agent
BRAVO_POD_RUNTIME_CLASS: {{ $v.agents.runtimeClass | quote }}
BRAVO_POD_SECCOMP_PROFILE: {{ ternary $v.agents.seccomp.profile "" (eq $v.agents.seccomp.type "Localhost") | quote }}
BRAVO_POD_PRIORITY_CLASS: {{ ternary (printf "%s-agents" $name) "" $v.priority.create | quote }}
BRAVO_POD_CPU_REQUEST: {{ $v.agents.cpuRequest | quote }}
BRAVO_POD_CPU_LIMIT: {{ $v.agents.cpuLimit | quote }}
BRAVO_POD_MEMORY_REQUEST: {{ $v.agents.memoryRequest | quote }}
BRAVO_POD_USER_NAMESPACE: {{ $v.agents.userNamespace | quote }}
BRAVO_POD_NODE: /usr/local/bin/node
BRAVO_POD_PROGRAM: /app/apps/agent-runtime/dist/agent-runtime.mjs
BRAVO_PODS_DIR: /tmp/pods
BRAVO_WARM_PODS: {{ $v.agents.warm | quote }}
BRAVO_POD_IDLE_SECONDS: {{ $v.agents.idleSeconds | quote }}
BRAVO_SECCOMP_PROFILE: /tmp/unused.json
{{- else if eq $app "model-gateway" }}
BRAVO_MODEL: {{ $v.models.model | quote }}
{{- else if eq $app "tool-broker" }}
BRAVO_SLOT_KEY_FILE: /etc/bravo/keys/slots.key
BRAVO_PUBLIC_URL: {{ $v.publicUrl }}
BRAVO_MCP_URL: http://{{ $name }}-tool-broker.{{ .root.Release.Namespace }}.svc:8080/mcp/
{{- else if eq $app "sandbox-runner" }}
BRAVO_WORKSPACES_DIR: /var/lib/bravo/workspaces
BRAVO_SANDBOX_DIR: /tmp/sandbox
BRAVO_SANDBOX_NODE: /usr/local/bin/node
BRAVO_TOOLBOX_PROGRAM: /app/apps/toolbox/dist/toolbox.mjs
BRAVO_SECCOMP_PROFILE: /app/deploy/seccomp/bravo-sandbox.json
{{- else if eq $app "audit" }}
BRAVO_AUDIT_SIGNING_KEY_FILE: /etc/bravo/keys/audit-signing.pem
BRAVO_AUDIT_CONTENT_KEY_FILE: /etc/bravo/keys/audit-content.key
{{- else if eq $app "automation" }}
BRAVO_PUBLIC_URL: {{ $v.publicUrl }}
{{- else if eq $app "egress" }}
BRAVO_EGRESS_PORT: "8443"
{{- end }}
{{- end }}

{{- /* Variable that holds the address of a callee. */}}
{{- define "bravo.addressVariable" -}}
{{- get (dict "identity" "BRAVO_IDENTITY_ADDR" "agent-orchestrator" "BRAVO_ORCHESTRATOR_ADDR" "tool-broker" "BRAVO_BROKER_ADDR" "sandbox-runner" "BRAVO_SANDBOX_ADDR" "model-gateway" "BRAVO_MODELS_ADDR" "audit" "BRAVO_AUDIT_ADDR" "automation" "BRAVO_AUTOMATION_ADDR" "egress" "BRAVO_EGRESS_ADDR") . }}
{{- end }}
