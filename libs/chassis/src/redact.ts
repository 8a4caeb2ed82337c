/**
 * Takes secrets out of what is logged: values under a telling name at any depth, and secrets by their shape in any text.
 * It errs on the side of hiding; nothing it does can throw.
 */

export const HIDDEN = '[redacted]';

const MAX_DEPTH = 8;
const MAX_ITEMS = 100;

/** Read without case, dashes and underscores, at the end of a name: `agentToken`, `x-api-key`, `DATABASE_URL`. */
const SECRET_NAME =
  /(authorization|cookie|token|passw(or)?d|passphrase|pass|pwd|secret|credentials?|apikey|accesskey|privatekey|sealingkey|signingkey|databaseurl|connectionstring|dsn|jwk|bearer|session|otp|pin|salt)$/;

const isSecretName = (name: string): boolean => SECRET_NAME.test(name.toLowerCase().replace(/[^a-z0-9]/g, ''));

/** In text, where no name of a field helps. Each keeps what tells a reader which kind of secret stood there. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  // A password may hold an @; the host begins after the last one.
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s"'\\/?#]*@/gi, `$1${HIDDEN}@`],
  [/\b(bearer|basic)\s+[a-z0-9+/=._~-]{6,}/gi, `$1 ${HIDDEN}`],
  [/\bbwt_[a-z]+_[\w-]+|\bbwt_[\w-]+/gi, `bwt_${HIDDEN}`],
  [/\bbravo_session=[^;\s"'\\]+/gi, `bravo_session=${HIDDEN}`],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, HIDDEN],
  [/\b(sk|pk|rk|ghp|gho|glpat|xox[abp])[-_][\w-]{12,}/g, `$1-${HIDDEN}`],
  [
    /-----BEGIN ([A-Z ]*)PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
    `-----BEGIN $1PRIVATE KEY----- ${HIDDEN}`,
  ],
  // "password=x", "api_key: x", '"token":"x"' inside a text, also escaped once more.
  [
    /((?:authorization|cookie|token|passw(?:or)?d|passphrase|pwd|secret|credential|api[-_]?key|private[-_]?key)["'\\]*\s*[=:]\s*["'\\]*)(?!\[redacted\])[^\s"'\\,;&}]+/gi,
    `$1${HIDDEN}`,
  ],
];

export const redactText = (text: string): string =>
  SHAPES.reduce((clean, [shape, put]) => clean.replace(shape, put), text);

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const clean = (value: unknown, depth: number, seen: ReadonlySet<object>): unknown => {
  if (typeof value === 'string') return redactText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH || seen.has(value)) return '[cut]';
  if (value instanceof Uint8Array) return `[${value.length} bytes]`;
  const inside = new Set(seen).add(value);
  if (value instanceof Error) return cleanError(value, depth, inside);
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => clean(item, depth + 1, inside));
  if (value instanceof Map)
    return cleanFields(
      Object.fromEntries([...value].map(([key, item]) => [String(key), item as unknown])),
      depth,
      inside,
    );
  if (value instanceof Set) return clean([...value], depth, seen);
  if (!isPlain(value) && 'toJSON' in value && typeof value.toJSON === 'function')
    return clean((value.toJSON as () => unknown)(), depth + 1, inside);
  return cleanFields(value as Record<string, unknown>, depth, inside);
};

const cleanFields = (
  fields: Readonly<Record<string, unknown>>,
  depth: number,
  seen: ReadonlySet<object>,
): Record<string, unknown> => {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields).slice(0, MAX_ITEMS)) {
    // A number of tokens is a count and says nothing; anything else under such a name is hidden whole.
    const harmless = value === undefined || value === null || typeof value === 'number' || typeof value === 'boolean';
    out[redactText(name)] = isSecretName(name) && !harmless ? HIDDEN : clean(value, depth + 1, seen);
  }
  return out;
};

const cleanError = (error: Error, depth: number, seen: ReadonlySet<object>): Record<string, unknown> => ({
  ...cleanFields({ ...error }, depth, seen),
  type: error.name,
  message: redactText(error.message),
  stack: redactText(error.stack ?? ''),
  ...(error.cause === undefined ? {} : { cause: clean(error.cause, depth + 1, seen) }),
  ...(error instanceof AggregateError ? { errors: clean(error.errors, depth + 1, seen) } : {}),
});

/** A copy that may be written down. */
export const redact = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  try {
    return cleanFields(fields, 0, new Set());
  } catch {
    return { log: 'the fields of this line could not be read' };
  }
};
