/** Objects by key, each whole or not there: what lasts of conversations is kept here, and any runner finds it. */

export interface ObjectStore {
  /** Lasting once it resolves; replaces what was there. Keys are '/'-separated parts of `[A-Za-z0-9_-]`. */
  put(key: string, content: Uint8Array): Promise<void>;
  /** Undefined where nothing is. */
  get(key: string): Promise<Buffer | undefined>;
  /** Keys that begin with `prefix`, which ends with '/'. */
  list(prefix: string): Promise<readonly string[]>;
  /** Idempotent. */
  remove(key: string): Promise<void>;
}

const PART = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/** Throws an Error for what is no key, so that no id becomes a path. */
export const checkKey = (key: string): string => {
  if (key.length > 700 || !key.split('/').every((part) => PART.test(part)))
    throw new Error('the key of an object is not one');
  return key;
};
