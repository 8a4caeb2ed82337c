import { z } from 'zod';
import {
  brokerAddress,
  databaseSettings,
  duration,
  flag,
  grpcSettings,
  identityAddress,
  natsSettings,
  processSettings,
  setting,
  type Settings,
  podUserSettings,
} from '../setting.ts';

export const agentOrchestratorSettings = {
  ...processSettings,
  ...grpcSettings,
  ...databaseSettings,
  ...natsSettings,
  identityAddress,
  brokerAddress,
  mcpUrl: setting('BRAVO_MCP_URL', z.url(), "The broker's MCP endpoint as a pod reaches it."),
  modelUrl: setting('BRAVO_MODEL_URL', z.url(), "The model gateway's OpenAI-compatible base URL as a pod reaches it."),
  podNode: setting(
    'BRAVO_POD_NODE',
    z.string().min(1),
    "Node program that runs a local pod; readable by the pods' users.",
  ),
  podProgram: setting('BRAVO_POD_PROGRAM', z.string().min(1), 'Bundled agent runtime that a local pod runs.'),
  podsDirectory: setting('BRAVO_PODS_DIR', z.string().min(1), 'Directory for the working directories of local pods.'),
  ...podUserSettings,
  insecurePods: setting(
    'BRAVO_INSECURE_PODS',
    flag.default(false),
    "Runs local pods under this process's own user where no other can be had.",
  ),
  warmPods: setting('BRAVO_WARM_PODS', z.coerce.number().int().min(0).max(50).default(1), 'Unbound pods kept ready.'),
  idleSeconds: setting('BRAVO_POD_IDLE_SECONDS', duration(300), 'A pod without a turn for this long is recycled.'),
  leaseSeconds: setting('BRAVO_LEASE_SECONDS', duration(10), 'Life of a conversation lease that is not renewed.'),
  turnSeconds: setting('BRAVO_TURN_SECONDS', duration(1800), 'Longest life of one turn.'),
} as const satisfies Settings;
