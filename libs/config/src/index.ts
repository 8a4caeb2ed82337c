export * from './setting.ts';
export * from './load-config.ts';
export { identitySettings } from './apps/identity.ts';
export { agentOrchestratorSettings } from './apps/agent-orchestrator.ts';
export { modelGatewaySettings } from './apps/model-gateway.ts';
export { toolBrokerSettings } from './apps/tool-broker.ts';
export { sandboxRunnerSettings } from './apps/sandbox-runner.ts';
export { auditSettings } from './apps/audit.ts';
export { gatewaySettings } from './apps/gateway.ts';
