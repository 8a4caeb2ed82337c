/** The keys of settings and what each takes. Guarantees that a value of the wrong kind is nothing at all; it must never turn one kind into another. */
import type { JsonObject, JsonValue } from '../json.ts';

/** Lists of which every layer's entries are kept. */
export const LIST_KEYS = [
  'permissions.deny',
  'permissions.ask',
  'permissions.allow',
  'permissions.additionalDirectories',
  'run.scrubEnv',
] as const;
export type ListKey = (typeof LIST_KEYS)[number];

/** Keys that hold an object whose own keys are named with a dot. */
export const BLOCKS: readonly string[] = ['permissions', 'run', 'search', 'vetting', 'limits'];

/** Read so that a file carrying it is not refused, and acted on by nothing (D11). */
export const INERT_KEY = 'permissions.defaultMode';

/** The operator's list of hosts that a tenant's provider may name besides the public ones. */
export const HOSTS_KEY = 'allowedProviderHosts';

interface SingleValue {
  /** What a value has to be, for the person who wrote another. */
  readonly needed: string;
  /** The value as it is kept; undefined where it makes no sense and counts as absent. */
  read(value: JsonValue): JsonValue | undefined;
}

const AMOUNT: SingleValue = {
  needed: 'a whole number above zero',
  read: (value) => (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined),
};

const MODEL: SingleValue = {
  needed: 'the name of a model',
  read: (value) => (typeof value === 'string' && value.trim() !== '' ? value : undefined),
};

/** Characters of one layer's standing instructions. */
export const MAX_INSTRUCTIONS = 16_384;

const INSTRUCTIONS: SingleValue = {
  needed: `a text of at most ${MAX_INSTRUCTIONS} characters`,
  read: (value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= MAX_INSTRUCTIONS ? value : undefined,
};

/** What models may use up, each in whole tokens or cents. Of these the smallest value of all layers holds: nobody raises their own. */
export const LIMIT_KEYS = [
  'limits.personDailyTokens',
  'limits.workspaceDailyTokens',
  'limits.conversationTokens',
  'limits.treeTokens',
  'limits.contextTokens',
  'limits.personMonthlyCents',
  'limits.workspaceMonthlyCents',
] as const;

/** Keys of which the closest layer's value holds, but for the limits. */
export const SINGLE_VALUES: Readonly<Record<string, SingleValue>> = {
  model: MODEL,
  fallbackModel: MODEL,
  // Told by every layer that sets it, one after the other: `origins` names them.
  instructions: INSTRUCTIONS,
  editorMode: {
    needed: '"vim" or "emacs"',
    read: (value) => ['vim', 'emacs'].find((style) => typeof value === 'string' && value.toLowerCase() === style),
  },
  'run.maxOutput': AMOUNT,
  'search.maxFiles': AMOUNT,
  'search.maxSeconds': AMOUNT,
  'vetting.auto': {
    needed: 'true or false',
    read: (value) => (typeof value === 'boolean' ? value : undefined),
  },
  ...Object.fromEntries(LIMIT_KEYS.map((key) => [key, AMOUNT])),
};

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
