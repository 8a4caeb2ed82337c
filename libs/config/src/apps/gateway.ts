import { z } from 'zod';
import {
  auditAddress,
  automationAddress,
  brokerAddress,
  duration,
  flag,
  grpcSettings,
  identityAddress,
  modelsAddress,
  natsSettings,
  orchestratorAddress,
  processSettings,
  setting,
  type Settings,
  podUserSettings,
} from '../setting.ts';

export const gatewaySettings = {
  ...processSettings,
  serviceKeyFile: grpcSettings.serviceKeyFile,
  serviceKeysFile: grpcSettings.serviceKeysFile,
  ...natsSettings,
  identityAddress,
  orchestratorAddress,
  brokerAddress,
  modelsAddress,
  auditAddress,
  automationAddress,
  webDirectory: setting(
    'BRAVO_WEB_DIR',
    z.string().default(''),
    'Directory with the built web page; empty serves none.',
  ),
  publicUrl: setting(
    'BRAVO_PUBLIC_URL',
    z.url(),
    'Address people open; the origin that a browser request must come from.',
  ),
  heartbeatSeconds: setting(
    'BRAVO_SSE_HEARTBEAT_SECONDS',
    duration(10),
    'Interval of the comment that keeps an event stream open.',
  ),
  ...podUserSettings,
  insecurePods: setting('BRAVO_INSECURE_PODS', flag.default(false), 'Shown as a warning on the page.'),
} as const satisfies Settings;
