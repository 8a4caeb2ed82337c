import { z } from 'zod';
import {
  databaseSettings,
  grpcSettings,
  identityAddress,
  processSettings,
  setting,
  type Settings,
} from '../setting.ts';

export const modelGatewaySettings = {
  ...processSettings,
  ...grpcSettings,
  ...databaseSettings,
  identityAddress,
  provider: setting(
    'BRAVO_MODEL_PROVIDER',
    z.enum(['demo', 'openai-compatible']).default('demo'),
    'Where inference happens. "demo" is a deterministic planner, not a language model.',
  ),
  modelName: setting('BRAVO_MODEL_NAME', z.string().default(''), 'Model asked of the openai-compatible provider.'),
  modelBaseUrl: setting(
    'BRAVO_MODEL_BASE_URL',
    z.string().default(''),
    'Base URL of the openai-compatible provider, for example http://127.0.0.1:11434/v1.',
  ),
  modelApiKey: setting(
    'BRAVO_MODEL_API_KEY',
    z.string().default(''),
    'Key of that provider; never leaves this process.',
    { secret: true },
  ),
} as const satisfies Settings;
