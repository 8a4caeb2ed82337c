/** Reads values.yaml as what it is for people: each value with its comment, its default and what may stand there. */
import { isMap, isScalar, parseDocument, type Pair, type Scalar, type YAMLMap } from 'yaml';

export interface ValueEntry {
  /** Dotted. */
  readonly path: string;
  readonly description: string;
  readonly fallback: unknown;
}

export interface ValuesDocument {
  readonly entries: readonly ValueEntry[];
  /** JSON schema (draft 7, which Helm reads) that refuses what nobody knows. */
  readonly schema: object;
}

const SCHEMA = /^@schema (\{.*\})$/;
/** A value for people who know the Kubernetes type: in the schema by its kind, in the table without a row. */
const IGNORE = '@ignore';

interface Comment {
  readonly words: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly ignored: boolean;
}

const readComment = (text: string): Comment => {
  const lines = text.split('\n').map((line) => line.trim());
  const given = lines.flatMap((line) => SCHEMA.exec(line)?.[1] ?? []);
  return {
    words: lines.filter((line) => line !== '' && !line.startsWith('@')).join(' '),
    schema: Object.assign({}, ...given.map((json) => JSON.parse(json) as object)) as Record<string, unknown>,
    ignored: lines.includes(IGNORE),
  };
};

const typeOf = (value: unknown): string =>
  Array.isArray(value)
    ? 'array'
    : typeof value === 'number'
      ? 'integer'
      : value !== null && typeof value === 'object'
        ? 'object'
        : typeof value;

const commentOf = (map: YAMLMap, pair: Pair, at: number): string => {
  const own = (pair.key as Scalar).commentBefore ?? '';
  // The comment before a map's first key is the map's own.
  return at === 0 && own === '' ? (map.commentBefore ?? '') : own;
};

export const readValues = (text: string): ValuesDocument => {
  const entries: ValueEntry[] = [];
  const walk = (map: YAMLMap, prefix: string): object => {
    const properties: Record<string, object> = {};
    for (const [at, pair] of (map.items as Pair[]).entries()) {
      const key = String(isScalar(pair.key) ? pair.key.value : pair.key);
      const path = prefix === '' ? key : `${prefix}.${key}`;
      const { words, schema, ignored } = readComment(commentOf(map, pair, at));
      if (isMap(pair.value) && !ignored) {
        properties[key] = { ...walk(pair.value, path), ...(words !== '' && { description: words }) };
        continue;
      }
      const fallback: unknown = (pair.value as Scalar | null)?.toJSON?.() ?? (pair.value as Scalar).value;
      properties[key] = { type: typeOf(fallback), ...schema, ...(words !== '' && { description: words }) };
      if (!ignored) entries.push({ path, description: words, fallback });
    }
    return { type: 'object', additionalProperties: false, properties };
  };
  const root = parseDocument(text).contents;
  if (!isMap(root)) throw new Error('values.yaml is no map.');
  const schema = walk(root as YAMLMap, '') as { properties: Record<string, object> };
  // Helm hands these on to every chart.
  schema.properties['global'] = { type: 'object' };
  return { entries, schema: { $schema: 'http://json-schema.org/draft-07/schema#', ...schema } };
};
