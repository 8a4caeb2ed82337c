/** The settings of every app by its folder name: what the reference is generated from and what an environment is rendered by. */
import { agentOrchestratorSettings } from './apps/agent-orchestrator.ts';
import { auditSettings } from './apps/audit.ts';
import { egressSettings } from './apps/egress.ts';
import { automationSettings } from './apps/automation.ts';
import { gatewaySettings } from './apps/gateway.ts';
import { identitySettings } from './apps/identity.ts';
import { modelGatewaySettings } from './apps/model-gateway.ts';
import { sandboxRunnerSettings } from './apps/sandbox-runner.ts';
import { toolBrokerSettings } from './apps/tool-broker.ts';
import type { Settings } from './setting.ts';

export const APP_SETTINGS = {
  gateway: gatewaySettings,
  identity: identitySettings,
  'agent-orchestrator': agentOrchestratorSettings,
  'model-gateway': modelGatewaySettings,
  'tool-broker': toolBrokerSettings,
  'sandbox-runner': sandboxRunnerSettings,
  audit: auditSettings,
  egress: egressSettings,
  automation: automationSettings,
} as const satisfies Readonly<Record<string, Settings>>;

export type AppName = keyof typeof APP_SETTINGS;
