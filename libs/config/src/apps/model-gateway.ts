import { z } from 'zod';
import {
  databaseSettings,
  duration,
  egressAddress,
  grpcSettings,
  identityAddress,
  natsSettings,
  outboundCertificates,
  processSettings,
  setting,
  type Settings,
} from '../setting.ts';

const text = z.string().default('');
const count = (fallback: number, most: number) => z.coerce.number().int().min(1).max(most).default(fallback);

export const modelGatewaySettings = {
  ...processSettings,
  ...grpcSettings,
  ...databaseSettings,
  ...natsSettings,
  egressAddress,
  outboundCertificates,
  identityAddress,
  model: setting(
    'BRAVO_MODEL',
    z.enum(['', 'demo', 'local']).default(''),
    'Short for a built-in model: "demo" is a deterministic planner, "local" a small language model on this machine\'s processor. Goes before BRAVO_MODEL_PROVIDER.',
  ),
  provider: setting(
    'BRAVO_MODEL_PROVIDER',
    z
      .enum(['demo', 'local', 'openai-compatible', 'openrouter', 'openai', 'azure', 'anthropic', 'amazon-bedrock'])
      .default('demo'),
    'Where inference happens unless a person or the settings choose otherwise. "demo" is a deterministic planner, not a language model.',
  ),
  modelName: setting('BRAVO_MODEL_NAME', text, 'Model asked of that provider, as the provider names it.'),
  modelBaseUrl: setting(
    'BRAVO_MODEL_BASE_URL',
    text,
    'Base URL of that provider, for example http://127.0.0.1:11434/v1; openai-compatible and azure need it.',
  ),
  modelApiKey: setting('BRAVO_MODEL_API_KEY', text, 'Key of that provider; never leaves this process.', {
    secret: true,
  }),
  modelRegion: setting(
    'BRAVO_MODEL_REGION',
    text,
    'Region in which amazon-bedrock is reached, for example eu-central-1.',
  ),
  localModelFile: setting('BRAVO_LOCAL_MODEL_FILE', text, 'Weights (GGUF) of the local model.'),
  localModelRuntime: setting(
    'BRAVO_LOCAL_MODEL_RUNTIME',
    text,
    'Entry module of node-llama-cpp, which runs the local model.',
  ),
  modelFallback: setting(
    'BRAVO_MODEL_FALLBACK',
    text,
    'Id of a second model that answers, and says so, where the chosen one does not; settings may name another.',
  ),
  modelKeys: setting(
    'BRAVO_MODEL_KEYS',
    text,
    "Keys of providers that the platform settings name, as JSON from name to key; a workspace's sealed secret of the name goes before it.",
    { secret: true },
  ),
  prices: setting(
    'BRAVO_MODEL_PRICES',
    text,
    'Price table as JSON: {"<model id>": {"input": 2.5, "output": 10}}, in US dollars for a million tokens. Limits of money need a row for each model.',
  ),
  planCredits: setting(
    'BRAVO_PLAN_CREDITS',
    z.string().min(2).default('{"free":0,"pro":2000000,"team":8000000,"enterprise":"unlimited"}'),
    'Credits a plan gives in a month, as JSON: a number or "unlimited". A plan without a row gives none.',
  ),
  trialCredits: setting(
    'BRAVO_TRIAL_CREDITS',
    z.coerce.number().int().min(0).max(1_000_000_000).default(200_000),
    'Credits a workspace is given once, on top of its plan.',
  ),
  contextTokens: setting(
    'BRAVO_MODEL_CONTEXT_TOKENS',
    z.coerce.number().int().min(1_024).max(100_000_000).default(131_072),
    'Window, in tokens of prompt and answer, of a model of which neither its list nor `limit.context` of its provider states one. Too high a figure is refused by the provider; too low a one only shortens conversations sooner.',
  ),
  answerTokens: setting(
    'BRAVO_MODEL_ANSWER_TOKENS',
    count(8_192, 1_000_000),
    'Most tokens of an answer whose length nobody stated, where limits or credits are counted.',
  ),
  callsAtOnce: setting(
    'BRAVO_MODEL_CALLS_AT_ONCE',
    count(64, 10_000),
    'Model calls of one conversation at the same time, in each process.',
  ),
  callsPerMinute: setting(
    'BRAVO_MODEL_CALLS_PER_MINUTE',
    count(600, 100_000),
    'Model calls one conversation may begin in a minute, in each process.',
  ),
  connectSeconds: setting('BRAVO_MODEL_CONNECT_SECONDS', duration(10), 'Until a provider has taken the connection.'),
  firstTokenSeconds: setting(
    'BRAVO_MODEL_FIRST_TOKEN_SECONDS',
    duration(120),
    'Until the first sign of life of an answer.',
  ),
  idleSeconds: setting('BRAVO_MODEL_IDLE_SECONDS', duration(60), 'Between two signs of life of an answer.'),
} as const satisfies Settings;
