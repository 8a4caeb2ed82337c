/** What holds of settings written in layers of a person's own, read back over REST. Guarantees that a value is read from the layer the doctor names for it; it must never merge anything itself. */
import { type InForce, NotMet, type SettingsAnswer } from './edge.ts';

/** Weakest first. One document is a person's own; two are theirs and a conversation's; a third is the workspace's before them. */
const LAYERS = ['workspace', 'user', 'conversation'] as const;

export interface SettingsRest {
  /** Answers with the body; the caller sees to what is refused. */
  call(method: string, path: string, body?: string): Promise<{ readonly status: number; readonly body: unknown }>;
  beginConversation(): Promise<string>;
  /** Whether the workspace's layer may be written: nobody else's cases are decided under it. */
  readonly ownsWorkspace: boolean;
}

interface Doctor {
  readonly settings: readonly { readonly key: string; readonly layer: string }[];
  readonly variables: readonly { readonly key: string; readonly layer: string }[];
  readonly rules: readonly { readonly list: string; readonly layer: string; readonly count: number }[];
  readonly lists: readonly { readonly key: string; readonly layer: string; readonly count: number }[];
}

/** @param documents weakest first, at most three. */
export const readInForce = async (rest: SettingsRest, documents: readonly string[]): Promise<InForce> => {
  const layers = documents.length === 3 ? LAYERS : LAYERS.slice(1, 1 + Math.max(1, documents.length));
  if (documents.length > 3 || (documents.length === 3 && !rest.ownsWorkspace))
    throw new NotMet('more documents than a person has layers of their own');
  const conversation = layers.includes('conversation') ? await rest.beginConversation() : '';
  const query = conversation === '' ? '' : `?conversation=${conversation}`;
  const at = (layer: string): string => `/bravo/settings/${layer}${layer === 'conversation' ? query : ''}`;
  const answers: SettingsAnswer[] = [];
  try {
    for (const [index, layer] of layers.entries()) {
      await good(rest, 'PUT', at(layer), '{}');
      const document = documents[index];
      if (document === undefined) continue;
      const { status, body } = await rest.call('PUT', at(layer), document);
      if (status >= 500) throw new Error(`the settings could not be written: ${JSON.stringify(body)}`);
      answers.push(
        status >= 400 ? { stored: false, warnings: [] } : { stored: true, warnings: (body as SettingsAnswer).warnings },
      );
    }
    const doctor = (await good(rest, 'GET', `/bravo/doctor${query}`)) as Doctor;
    const read = await Promise.all(layers.map(async (layer) => [layer, await good(rest, 'GET', at(layer))] as const));
    return { answers, effective: compose(doctor, new Map(read), layers, answers) };
  } finally {
    for (const layer of layers) await good(rest, 'PUT', at(layer), '{}');
  }
};

const good = async (rest: SettingsRest, method: string, path: string, body?: string): Promise<unknown> => {
  const answer = await rest.call(method, path, body);
  if (answer.status >= 400)
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

/** The doctor's places with the words found at them. A count that is not the number of entries found is shown instead of them. */
const compose = (
  { settings, variables, rules, lists }: Doctor,
  documents: ReadonlyMap<string, unknown>,
  layers: readonly string[],
  answers: readonly SettingsAnswer[],
): Record<string, unknown> => {
  const effective: Record<string, Record<string, unknown>> = {};
  const put = (key: string, value: unknown): void => {
    const [block, name] = divide(key);
    if (name === '') Object.assign(effective, { [block]: value });
    else (effective[block] ??= {})[name] = value;
  };
  for (const { key, layer } of [...settings, ...variables]) put(key, valueAt(documents.get(layer), key));
  const counted = [...rules.map(({ list, ...of }) => ({ key: `permissions.${list}`, ...of })), ...lists];
  for (const [key, told] of Map.groupBy(counted, (one) => one.key)) {
    put(
      key,
      told.flatMap(({ layer, count }) => {
        const warnings = answers[layers.indexOf(layer)]?.warnings ?? [];
        const written = valueAt(documents.get(layer), key);
        const entries = (Array.isArray(written) ? written : []).filter(
          (_, index) =>
            !warnings.some((warning) => warning.code === 'unreadable' && warning.key === `${key}[${index}]`),
        );
        return entries.length === count ? entries : [`${count} entries of ${layer}`];
      }),
    );
  }
  return effective;
};

/** Only the first dot divides: a name under `env` or `provider` may hold more. */
const divide = (key: string): readonly [string, string] => {
  const dot = key.indexOf('.');
  return dot < 0 ? [key, ''] : [key.slice(0, dot), key.slice(dot + 1)];
};

const valueAt = (document: unknown, key: string): unknown => {
  const inside = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, name)
      ? (value as Record<string, unknown>)[name]
      : undefined;
  const [block, name] = divide(key);
  return name === '' ? inside(document, block) : inside(inside(document, block), name);
};
