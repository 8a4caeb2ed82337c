/** Parses JSON that came from an agent; guarantees one meaning per text, and must never let a duplicate key, `__proto__`, deep nesting or half a character through. */

export interface JsonLimits {
  readonly maxDepth: number;
  readonly maxBytes: number;
}

export const DEFAULT_JSON_LIMITS: JsonLimits = { maxDepth: 32, maxBytes: 4 * 1024 * 1024 };

/** A sentence for the sender; it never quotes the text. */
export class JsonRefused extends Error {
  override readonly name = 'JsonRefused';
}

const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const HALF_PAIR = /\\u[dD][89a-fA-F]/;

/**
 * The value of `text`. JSON.parse keeps the last of two equal keys, and another parser on the way may keep the first:
 * a call could then be shown as one thing and executed as another.
 * @throws JsonRefused
 */
export const parseStrictJson = (text: string, limits: JsonLimits = DEFAULT_JSON_LIMITS): unknown => {
  if (Buffer.byteLength(text) > limits.maxBytes) {
    throw new JsonRefused(`The message is larger than ${limits.maxBytes} bytes. Send less at once.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonRefused('The message is not valid JSON.');
  }
  // JSON.parse has accepted the grammar, so the walk below only needs to find keys and nesting.
  checkKeys(text, limits.maxDepth);
  return value;
};

const checkKeys = (text: string, maxDepth: number): void => {
  /** One entry per open bracket: the keys seen so far of an object, nothing for an array. */
  const open: (Set<string> | undefined)[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"': {
        STRING.lastIndex = at;
        const raw = STRING.exec(text)?.[0];
        if (raw === undefined) throw new JsonRefused('The message is not valid JSON.');
        // Such a string has no bytes in UTF-8: it can be neither digested nor stored, so no decision about it could be recorded.
        if (HALF_PAIR.test(raw) && !(JSON.parse(raw) as string).isWellFormed())
          throw new JsonRefused('The message holds half of a surrogate pair, which is no text.');
        if (expectsKey) {
          addKey(open.at(-1), JSON.parse(raw) as string);
          expectsKey = false;
        }
        at += raw.length - 1;
        break;
      }
      case '{':
        open.push(new Set());
        expectsKey = true;
        break;
      case '[':
        open.push(undefined);
        break;
      case '}':
      case ']':
        open.pop();
        expectsKey = false;
        break;
      case ',':
        expectsKey = open.at(-1) !== undefined;
        break;
    }
    if (open.length > maxDepth) throw new JsonRefused(`The message is nested deeper than ${maxDepth} levels.`);
  }
};

const addKey = (keys: Set<string> | undefined, key: string): void => {
  if (keys === undefined) return;
  if (key === '__proto__') throw new JsonRefused('The message uses "__proto__" as a name, which is not accepted.');
  if (keys.has(key)) throw new JsonRefused('The message gives the same name twice in one object; say it once.');
  keys.add(key);
};
