import { z } from 'zod';
import {
  databaseSettings,
  duration,
  egressAddress,
  grpcSettings,
  auditAddress,
  identityAddress,
  modelsAddress,
  natsSettings,
  orchestratorAddress,
  outboundCertificates,
  processSettings,
  sandboxAddress,
  setting,
  type Settings,
} from '../setting.ts';

export const toolBrokerSettings = {
  ...processSettings,
  ...grpcSettings,
  ...databaseSettings,
  ...natsSettings,
  egressAddress,
  outboundCertificates,
  identityAddress,
  auditAddress,
  sandboxAddress,
  modelsAddress,
  orchestratorAddress,
  slotKeyFile: setting(
    'BRAVO_SLOT_KEY_FILE',
    z.string().min(1),
    'File with the base64 AES-256 key that wraps the keys of quarantined content.',
  ),
  publicUrl: setting(
    'BRAVO_PUBLIC_URL',
    z.url(),
    'Address of the web page, told to agents as the place where a person answers.',
  ),
  mcpUrl: setting(
    'BRAVO_MCP_URL',
    z.url(),
    "This endpoint's own URL: the audience of the protected-resource metadata.",
  ),
  approvalTtlSeconds: setting(
    'BRAVO_APPROVAL_TTL_SECONDS',
    duration(3600),
    'A question nobody answers for this long expires, which refuses it.',
  ),
  holdBravoSeconds: setting(
    'BRAVO_HOLD_BRAVO_SECONDS',
    duration(240),
    'How long a waiting call of our own runtime is held before it is told to come back.',
  ),
  languageServers: setting(
    'BRAVO_LANGUAGE_SERVERS',
    z.string().default(''),
    'Further language servers of the tool lsp, or others in place of ours: a JSON array of {language, title, extensions, argv, options}; argv[0] is the path of a program in the image of the language servers.',
  ),
  trailLagSeconds: setting(
    'BRAVO_TRAIL_LAG_SECONDS',
    duration(30),
    'While events have waited longer than this to reach the trail, no tool is called.',
  ),
  holdZeroclawSeconds: setting('BRAVO_HOLD_ZEROCLAW_SECONDS', duration(110), 'The same for ZeroClaw.'),
  holdUnknownSeconds: setting('BRAVO_HOLD_UNKNOWN_SECONDS', duration(50), 'The same for any other client.'),
} as const satisfies Settings;
