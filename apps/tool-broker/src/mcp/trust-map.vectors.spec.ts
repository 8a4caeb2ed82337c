import { beforeAll, describe, expect, it } from '@jest/globals';
import { caseOf, loadVectors } from '@bravo/testing/load-vectors';
import { z } from 'zod';
import { type Talk, useBroker } from '../broker.fixture.ts';
import { questionsOf, SCRIPT } from '../questions.fixture.ts';
import { openClient, type RawClient } from '../raw-mcp-client.fixture.ts';

/** The cases of the pure map, met as an agent meets them: written by write_file, seen by read_file. */
const rule = z.strictObject({ path: z.string(), trust: z.boolean() });
const trust = z.enum(['trusted', 'untrusted', 'unmentioned']);
const data = z.enum(['T', 'U']);
const outcome = z.enum(['complete', 'failed']).default('complete');
const cases = z.discriminatedUnion('kind', [
  caseOf('lookup', {
    rules: z.array(rule),
    path: z.string(),
    caseFolding: z.union([z.boolean(), z.literal('unknown')]).default('unknown'),
    expect: trust,
  }),
  caseOf('write', {
    data,
    destination: trust,
    mode: z.literal('ask'),
    tableAsks: z.boolean(),
    asks: z.boolean(),
    outcome,
    after: trust,
  }),
  caseOf('afterWrite', {
    rules: z.array(rule),
    write: z.strictObject({ path: z.string(), data, outcome }),
    then: z.array(z.strictObject({ path: z.string(), expect: trust })),
  }),
]);
type Case = z.output<typeof cases>;

const bed = useBroker();
const { pendingOf, answer } = questionsOf(bed);
const BEFORE = 'content of before';
const OWN_WORDS = 'words of the agent';
let talk: Talk;
let client: RawClient;

/** One conversation for all: its trust map is set anew for each case. */
beforeAll(async () => {
  talk = await bed.begin();
  client = await openClient(bed, talk);
  // Its output is ref:1, what nobody vouched for.
  const run = client.call('execute_script', SCRIPT);
  await answer(talk, 'approve');
  await run;
}, 60_000);

const relative = (path: string): string => path.replace(/^\//, '');
const key = (path: string): string => `${talk.conversationId}/${relative(path)}`;

const setMap = async (rules: readonly z.output<typeof rule>[]): Promise<void> => {
  await bed.database.pathTrust.deleteMany({ where: { conversationId: talk.conversationId } });
  // A later rule for the same path replaces an earlier one: one row a path.
  for (const { path, trust: trusted } of rules) {
    const where = { conversationId: talk.conversationId, path: relative(path) };
    await bed.database.pathTrust.upsert({
      where: { conversationId_path: where },
      create: { ...where, trusted, writtenBy: 'a person' },
      update: { trusted },
    });
  }
};

/** What a read shows: text where the path is vouched for, a reference where it is not or nobody spoke about it. */
const expectRead = async (path: string, expected: z.output<typeof trust>): Promise<void> => {
  if (!bed.sandbox.files.has(key(path))) bed.sandbox.files.set(key(path), Buffer.from(BEFORE));
  const content = bed.sandbox.files.get(key(path))!.toString().trim();
  const { text, isError } = await client.call('read_file', { path: relative(path) });
  expect(isError).toBe(false);
  expect({ path, shown: text.includes(content) }).toEqual({ path, shown: expected === 'trusted' });
  expect(/ref:\d+ - file of the workspace/.test(text)).toBe(expected !== 'trusted');
};

/** Makes the write and answers it. @returns the codes of what the person was asked. */
const write = async (path: string, of: 'T' | 'U', ends: 'complete' | 'failed'): Promise<readonly string[]> => {
  const carried = of === 'T' ? { contents: OWN_WORDS } : { contents_ref: 'ref:1' };
  const held = client.call('write_file', { path: relative(path), ...carried });
  const question = await pendingOf(talk);
  bed.sandbox.failsWrites = ends === 'failed';
  try {
    await answer(talk, 'approve');
    expect((await held).isError).toBe(ends === 'failed');
  } finally {
    bed.sandbox.failsWrites = false;
  }
  return (JSON.parse(question.asks) as { code: string }[]).map(({ code }) => code);
};

/** The workspace's paths are compared byte by byte, the root is no file, and a directory is not read. */
const isExpressible = (row: Case): boolean =>
  row.kind !== 'lookup' || (row.caseFolding !== true && !row.rules.some(({ path }) => path === '/'));
const isDirectory = (path: string): boolean => !/\.[a-z]+$/.test(path);

describe('trust-map.yaml, through the tools', () => {
  it.each(
    loadVectors('trust-map', cases)
      .filter(isExpressible)
      .map((row) => [row.id, row] as const),
  )('%s', async (_id, row) => {
    for (const name of bed.sandbox.files.keys()) bed.sandbox.files.delete(name);
    switch (row.kind) {
      case 'lookup':
        await setMap(row.rules);
        return expectRead(row.path, row.expect);
      case 'write': {
        const path = '/w/a.txt';
        await setMap(row.destination === 'unmentioned' ? [] : [{ path, trust: row.destination === 'trusted' }]);
        bed.sandbox.files.set(key(path), Buffer.from(BEFORE));
        const asked = await write(path, row.data, row.outcome);
        expect(asked.length > 0).toBe(row.asks);
        expect(asked.some((code) => code === 'write_new_path' || code === 'write_taints_path')).toBe(row.tableAsks);
        return expectRead(path, row.after);
      }
      case 'afterWrite': {
        await setMap(row.rules);
        await write(row.write.path, row.write.data, row.write.outcome);
        for (const { path, expect: expected } of row.then) if (!isDirectory(path)) await expectRead(path, expected);
      }
    }
  });
});
