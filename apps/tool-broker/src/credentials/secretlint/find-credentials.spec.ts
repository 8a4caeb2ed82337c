/** Which texts hold a credential, as data, and a thread that nothing can hold up. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { MOST_SCANNED } from '../credential.ts';
import { createScanner } from './create-scanner.ts';

interface Case {
  readonly name: string;
  readonly kind: string;
  readonly certainty: string;
  readonly parts: readonly string[];
  readonly text: string;
  /** What is found begins or ends elsewhere than the parts do. */
  readonly loose?: boolean;
}
const cases = parse(readFileSync(new URL('./credential-cases.yaml', import.meta.url), 'utf8')) as {
  found: Case[];
  none: string[];
};

const scanner = createScanner({ timeoutMs: 60_000 });
afterAll(() => scanner.stop());

describe('a text', () => {
  it.each(cases.found.map((one) => [one.name, one] as const))('with %s', async (_, one) => {
    const value = one.parts.join('');
    const text = one.text.replace('{}', () => value);
    const found = await scanner.scan(text);
    expect(found.map(({ kind, certainty }) => ({ kind, certainty }))).toEqual([
      { kind: one.kind, certainty: one.certainty },
    ]);
    const { start, end } = found[0]!;
    if (one.loose === true) expect(text.slice(start, end).length).toBeGreaterThan(2);
    else expect(text.slice(start, end)).toBe(value);
  });

  it.each(cases.none.map((text) => [text]))('without one: %s', async (text) => {
    expect(await scanner.scan(text)).toEqual([]);
  });

  it('with several has each of them, in their order and none over another', async () => {
    const [a, b] = cases.found.map(({ parts }) => parts.join(''));
    const found = await scanner.scan(`${a}\n${b}\n${a}`);
    expect(found).toHaveLength(3);
    for (const [at, one] of found.slice(1).entries()) expect(one.start).toBeGreaterThanOrEqual(found[at]!.end);
  });
});

describe('a text that cannot be looked through is treated as one that holds a credential [credentials.bounded]', () => {
  const whole = (text: string, kind: string) => [{ kind, certainty: 'inferred', start: 0, end: text.length }];

  it('because it is too long', async () => {
    const text = 'a'.repeat(MOST_SCANNED + 1);
    expect(await scanner.scan(text)).toEqual(whole(text, 'text that is too long to be looked through'));
  });

  it.each([
    ['the thread never answers', 'setInterval(() => {}, 1000)'],
    [
      'the thread dies',
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(1))",
    ],
    [
      'the thread breaks',
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { throw new Error('sk') })",
    ],
    ['the thread cannot begin', 'nonsense('],
  ])('because %s, and the next text gets a new one', async (_, program) => {
    const worker = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
    const broken = createScanner({ timeoutMs: 500, worker });
    for (const text of ['one', 'two'])
      expect(await broken.scan(text)).toEqual(whole(text, 'text that could not be looked through'));
    await broken.stop();
  });

  it('and one of the longest that is looked through is', async () => {
    for (const filler of ['a', ' ', 'a1', 'password=', 'x://a:', '-----BEGIN ', 'eyJaaaaaaaaaaaaaa.'])
      expect(Array.isArray(await scanner.scan(filler.repeat(Math.floor(MOST_SCANNED / filler.length / 8))))).toBe(true);
    expect(await scanner.scan(`${'a '.repeat(MOST_SCANNED / 2 - 50)}bwt_${'0'.repeat(48)}`)).toHaveLength(1);
  });
});
