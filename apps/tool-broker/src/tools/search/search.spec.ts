/** What is said of a search: lines as text or reference by the trust of their files, nothing of what may not be read, and every way of being partial. */
import { describe, expect, it } from '@jest/globals';
import type { Found, Sandbox } from '../../sandbox/sandbox.ts';
import type { BoundEffect, EffectTools } from '../effect.ts';
import { search } from './search.ts';

const whole: Found = {
  matches: [],
  landing: '',
  nextOffset: 0,
  matchesSeen: 0,
  filesSearched: 3,
  filesSkipped: 0,
  partial: [],
};
const match = (path: string, line = 1) => ({ path, line, text: `needle of ${path}` });

const run = async (found: Partial<Found>, given: Record<string, unknown> = {}) => {
  const asked: unknown[] = [];
  const sandbox = {
    search: (_: unknown, question: unknown) => (asked.push(question), Promise.resolve({ ...whole, ...found })),
  } as unknown as Sandbox;
  const tools = {
    sandbox,
    trustOf: (_: string, paths: readonly string[]) =>
      Promise.resolve(paths.map((path) => (path.startsWith('good') ? 'trusted' : 'untrusted'))),
    isReadDenied: (_: string, paths: readonly string[]) =>
      Promise.resolve(paths.map((path) => path.startsWith('secret'))),
  } as unknown as EffectTools;
  const effect = {
    call: { tool: 'search', arguments: { pattern: 'needle', ...given }, targets: { directory: '' } },
    who: { conversationId: 'cnv_1' },
  } as unknown as BoundEffect;
  return { ...(await search(effect, tools, new AbortController().signal)), asked };
};

describe('search', () => {
  it('asks for one pattern or a list, as written', async () => {
    expect((await run({})).asked).toEqual([
      { patterns: ['needle'], ignoreCase: false, directory: '', include: '', offset: 0 },
    ]);
    expect((await run({}, { pattern: ['a', 'b'], case_sensitive: false, include: '*.ts', offset: 5 })).asked).toEqual([
      { patterns: ['a', 'b'], ignoreCase: true, directory: '', include: '*.ts', offset: 5 },
    ]);
  });

  it('carries the trust of every file a line is from, and no line of what may not be read', async () => {
    const { outputs, summary } = await run({ matches: [match('good.txt'), match('bad.txt', 7), match('secret/a')] });
    expect(outputs).toHaveLength(1);
    expect(outputs[0]?.paths).toEqual(['trusted', 'untrusted']);
    expect(String(outputs[0]?.content)).toBe('good.txt:1: needle of good.txt\nbad.txt:7: needle of bad.txt');
    expect(summary).toContain('1 match is withheld: a permission rule denies reading there.');
    expect(JSON.stringify([summary, outputs.map(({ origin }) => origin)])).not.toContain('secret');
  });

  it.each([
    [{}, {}, /^No line matches in the 3 files that were read\.$/],
    [{ filesSearched: 0 }, { include: '*.zz' }, /selected no file at all/],
    [{ filesSkipped: 2 }, {}, /2 files were not searched/],
    [{ matchesSeen: 4 }, { offset: 9 }, /no match past offset 9: there are 4 in all/],
    [{ matches: [match('good')], nextOffset: 200, partial: ['matches'] }, {}, /go on with offset 200/],
    [{ partial: ['time'] }, {}, /time for a search ran out/],
    [{ partial: ['files'] }, {}, /more files than a search walks/],
  ])('says of %j what it is', async (found, given, sentence) => {
    expect((await run(found, given)).summary.join('\n')).toMatch(new RegExp(sentence.source, 'm'));
  });
});
