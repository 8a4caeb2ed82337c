/** Finds fields of a manifest that its kind does not have, which an API server would drop without a word. */
import * as client from '@kubernetes/client-node';

interface Attribute {
  readonly baseName: string;
  readonly type: string;
}
const classes = client as unknown as Record<string, { getAttributeTypeMap?: () => readonly Attribute[] } | undefined>;

const walk = (value: unknown, type: string, at: string, found: string[]): void => {
  if (value === null || value === undefined) return;
  const list = /^Array<(.*)>$/.exec(type)?.[1];
  if (list !== undefined && Array.isArray(value)) {
    value.forEach((each, index) => walk(each, list, `${at}[${index}]`, found));
    return;
  }
  const map = /^\{ \[key: string\]: (.*); \}$/.exec(type)?.[1];
  if (map !== undefined && typeof value === 'object') {
    for (const [key, each] of Object.entries(value)) walk(each, map, `${at}.${key}`, found);
    return;
  }
  const attributes = classes[type]?.getAttributeTypeMap?.();
  if (attributes === undefined || typeof value !== 'object') return;
  const known = new Map(attributes.map(({ baseName, type: each }) => [baseName, each]));
  for (const [key, each] of Object.entries(value)) {
    const next = known.get(key);
    if (next === undefined) found.push(`${at}.${key}`);
    else walk(each, next, `${at}.${key}`, found);
  }
};

/** @returns paths of unknown fields; undefined for a kind that is no kind of Kubernetes itself. */
export const unknownFields = (manifest: {
  readonly apiVersion: string;
  readonly kind: string;
}): string[] | undefined => {
  const version = manifest.apiVersion.split('/').at(-1) ?? '';
  const type = `${version[0]?.toUpperCase() ?? ''}${version.slice(1)}${manifest.kind}`;
  if (classes[type] === undefined) return undefined;
  const found: string[] = [];
  walk(manifest, type, manifest.kind, found);
  return found;
};
