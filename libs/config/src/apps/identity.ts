import { z } from 'zod';
import {
  databaseSettings,
  duration,
  flag,
  grpcSettings,
  natsSettings,
  processSettings,
  setting,
  type Settings,
} from '../setting.ts';

export const identitySettings = {
  ...processSettings,
  ...grpcSettings,
  ...databaseSettings,
  ...natsSettings,
  sealingKeyFile: setting(
    'BRAVO_SEALING_KEY_FILE',
    z.string().min(1),
    'File with the base64 AES-256 key that seals secrets at rest.',
  ),
  seedDemo: setting(
    'BRAVO_SEED_DEMO',
    flag.default(false),
    'Seeds the demo people and workspaces at start. Refused in production.',
  ),
  sessionTtlSeconds: setting('BRAVO_SESSION_TTL_SECONDS', duration(12 * 3600), 'Life of a browser session.'),
  agentTokenTtlSeconds: setting(
    'BRAVO_AGENT_TOKEN_TTL_SECONDS',
    duration(24 * 3600),
    "Upper bound of an agent token's life; the end of a conversation revokes it at once.",
  ),
  instanceFeatures: setting(
    'BRAVO_INSTANCE_FEATURES',
    z.string().default(''),
    'Comma-separated features switched on for the whole instance, below workspace overrides.',
  ),
} as const satisfies Settings;
