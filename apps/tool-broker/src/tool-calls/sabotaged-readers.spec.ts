/** Every reader of facts decides something: where one lies, the edge cases named for it go red, and only they. */
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Layers, type Talk, useBroker } from '../broker.fixture.ts';
import { questionsOf, SCRIPT } from '../questions.fixture.ts';
import { openClient } from '../raw-mcp-client.fixture.ts';
import { REPOSITORY_FILE } from '../repositories/repository-settings.ts';
import type { FactSources } from './gather-facts.ts';
import { SABOTAGES } from './sabotaged-readers.fixture.ts';

const bed = useBroker();
const { answer } = questionsOf(bed);

interface EdgeCase {
  readonly tool: string;
  readonly input: object;
  /** Effect and step, then a reason where the step alone does not tell. */
  readonly expected: string;
  readonly mode?: string;
  readonly settings?: Layers;
  readonly unattended?: boolean;
  /** Before the conversation begins. */
  readonly before?: () => void;
  /** While it runs. */
  readonly make?: (talk: Talk) => Promise<unknown> | void;
}

const WRITE = { path: 'a.txt', contents: 'words' };
const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000);
const permissions = (lists: Record<string, readonly string[]>) => ({ permissions: lists });
const context = (data: object) => async (talk: Talk) =>
  void (await bed.database.conversation.update({ where: { id: talk.conversationId }, data }));

const CASES: Readonly<Record<string, EdgeCase>> = {
  'feature-off': {
    tool: 'list_files',
    input: {},
    expected: 'deny feature_gate',
    make: () => void (bed.identity.features = { bravo: false, code_exec: true }),
  },
  'code-execution-off': {
    tool: 'execute_script',
    input: SCRIPT,
    expected: 'deny tool_lists',
    make: () => void (bed.identity.features = { bravo: true, code_exec: false }),
  },
  'disabled-since': {
    tool: 'list_files',
    input: {},
    expected: 'deny feature_gate',
    make: () => void (bed.identity.config.enabled = false),
  },
  'demoted-since': {
    tool: 'write_file',
    input: WRITE,
    expected: 'deny own_permission',
    make: (talk) => void bed.identity.roles.set(talk.userId, 'viewer'),
  },
  'write-in-ask-mode': { tool: 'write_file', input: WRITE, expected: 'deny mode_ceiling', mode: 'ask' },
  'allowed-and-unattended': {
    tool: 'write_file',
    input: WRITE,
    expected: 'ask default_gate',
    settings: { user: permissions({ allow: ['Edit'] }) },
    unattended: true,
  },
  'context-fallen': {
    tool: 'write_file',
    input: WRITE,
    expected: 'deny routing_integrity',
    make: context({ integrity: 'untrusted' }),
  },
  'context-private': {
    tool: 'write_file',
    input: WRITE,
    expected: 'ask routing_integrity',
    make: context({ holdsPrivate: true }),
  },
  'new-path-is-asked-about': { tool: 'write_file', input: WRITE, expected: 'ask default_gate write_new_path' },
  'write-through-reference': {
    tool: 'write_file',
    input: { path: 'a.txt', contents_ref: 'ref:1' },
    expected: 'ask always_ask write_through_reference',
    make: async (talk) => {
      const run = (await openClient(bed, talk)).call('execute_script', SCRIPT);
      await answer(talk, 'approve');
      await run;
    },
  },
  'path-that-leaves': {
    tool: 'read_file',
    input: { path: '../a' },
    expected: 'deny routing_integrity facts_unreadable',
  },
  'input-that-is-not-there': {
    tool: 'execute_script',
    input: { ...SCRIPT, files: ['none.txt'] },
    expected: 'deny routing_integrity facts_unreadable',
  },
  'denied-by-rule': {
    tool: 'read_file',
    input: { path: 'a.txt' },
    expected: 'deny deny_rules',
    settings: { user: permissions({ deny: ['Read(a.txt)'] }) },
  },
  'asked-by-rule': {
    tool: 'read_file',
    input: { path: 'a.txt' },
    expected: 'ask ask_rules',
    settings: { workspace: permissions({ ask: ['Read(a.txt)'] }) },
  },
  'nobody-to-ask': {
    tool: 'ask_user',
    input: { questions: [{ header: 'Tone', question: 'Which?' }] },
    expected: 'deny always_ask nobody_to_ask',
    unattended: true,
  },
  'question-never-answered': {
    tool: 'ask_user',
    input: { questions: [{ header: 'Tone', question: 'Which?' }] },
    expected: 'ask always_ask question',
  },
  'later-look-without-a-turn': {
    tool: 'schedule_next',
    input: { delay_seconds: 60, noop: true },
    expected: 'deny tool_offered tool_not_offered',
  },
  'unknown-tool': { tool: 'unknown_tool', input: {}, expected: 'deny tool_offered' },
  'grant-that-is-over': {
    tool: 'write_file',
    input: WRITE,
    expected: 'ask default_gate',
    make: ({ conversationId, workspaceId, userId }) =>
      bed.database.grant.create({
        data: {
          ...{ id: `grt_${conversationId}`, conversationId, workspaceId, userId, tool: 'write_file', source: 'person' },
          ...{ scope: JSON.stringify({ path: 'a.txt' }), createdAt: minutesAgo(2), expiresAt: minutesAgo(1) },
        },
      }),
  },
  'denied-by-the-files': {
    tool: 'read_file',
    input: { path: 'a.txt' },
    expected: 'deny deny_rules',
    make: (talk) => place(talk, 'Read(a.txt)'),
  },
  'denied-by-the-files-before': {
    tool: 'read_file',
    input: { path: 'a.txt' },
    expected: 'deny deny_rules',
    make: async (talk) => {
      place(talk, 'Read(a.txt)');
      await (await openClient(bed, talk)).call('list_files', {});
      bed.sandbox.files.delete(`${talk.conversationId}/${REPOSITORY_FILE}`);
    },
  },
  'denied-when-it-began': {
    tool: 'list_files',
    input: {},
    expected: 'deny tool_lists',
    before: () => void (bed.identity.config.deniedTools = ['list_files']),
  },
  'credential-written': {
    tool: 'write_file',
    input: { ...WRITE, contents: `token ${['bwt', 'bravo', '0'.repeat(48)].join('_')}` },
    expected: 'deny deny_rules credential_declared',
  },
  'language-nobody-was-asked-about': {
    tool: 'lsp',
    input: { operation: 'documentSymbol', path: 'a.ts' },
    expected: 'ask default_gate',
  },
  'ended-since': {
    tool: 'list_files',
    input: {},
    expected: 'The conversation has ended',
    make: context({ erasedAt: new Date() }),
  },
};

/** Every reader by the facts' sources: a new one without a row does not compile, and without a sabotage fails below. */
const READERS: Readonly<Record<keyof FactSources, true>> = {
  ...{ identity: true, conversations: true, slots: true, sandbox: true, catalogue: true },
  ...{
    rulesOf: true,
    readLayers: true,
    grants: true,
    answers: true,
    languages: true,
    credentials: true,
    now: true,
    isOfferedInTurn: true,
  },
};

const place = ({ conversationId }: Talk, rule: string): void =>
  void bed.sandbox.files.set(
    `${conversationId}/${REPOSITORY_FILE}`,
    Buffer.from(JSON.stringify(permissions({ deny: [rule] }))),
  );

const talks = new Map<string, Talk>();
const honest = new Map<string, string>();

/** The decision in words. */
const judge = async (id: string, talk: Talk): Promise<string> => {
  const { tool, input } = CASES[id]!;
  const gateway = await bed.as('gateway');
  try {
    const explained = await gateway.explainCall(
      { conversationId: talk.conversationId, tool, inputJson: JSON.stringify(input) },
      bed.person(talk),
    );
    return [explained.effect, explained.step, ...explained.reasons.map(({ code }) => code)].join(' ');
  } catch (error) {
    return (error as Error).message;
  } finally {
    gateway.close();
  }
};

const judgeAll = async (): Promise<Map<string, string>> => {
  const seen = new Map<string, string>();
  for (const id of Object.keys(CASES)) {
    bed.identity.features = { bravo: true, code_exec: true };
    bed.identity.config.enabled = true;
    const talk = talks.get(id)!;
    if (['feature-off', 'code-execution-off', 'disabled-since'].includes(id)) await CASES[id]!.make?.(talk);
    seen.set(id, await judge(id, talk));
  }
  return seen;
};

beforeAll(async () => {
  for (const [id, { mode, settings, unattended, before, make }] of Object.entries(CASES)) {
    bed.identity.features = { bravo: true, code_exec: true };
    bed.identity.config.enabled = true;
    before?.();
    const talk = await bed.begin(mode, settings, unattended);
    bed.identity.config.deniedTools = [];
    talks.set(id, talk);
    if (!['feature-off', 'code-execution-off', 'disabled-since'].includes(id)) await make?.(talk);
  }
  // A broker that remembers nothing of before, as every one that is sabotaged.
  await bed.broker.kill();
  bed.broker = await bed.startBroker();
  for (const [id, seen] of await judgeAll()) honest.set(id, seen);
}, 60_000);

afterEach(async () => {
  await bed.broker.kill();
});

describe('a reader of facts that lies', () => {
  it('is missed by nobody: as they are, every case is decided as it should be', () => {
    for (const [id, { expected }] of Object.entries(CASES)) {
      for (const word of expected.split(' ')) expect([id, honest.get(id)]).toEqual([id, expect.stringContaining(word)]);
    }
  });

  it('is one of all there are', () => {
    expect(new Set(SABOTAGES.map(({ reader }) => reader.split('.')[0]))).toEqual(new Set(Object.keys(READERS)));
  });

  it.each(SABOTAGES.map((sabotage) => [sabotage.reader, sabotage] as const))(
    '%s',
    async (_reader, { lie, red }) => {
      bed.broker = await bed.startBroker({ replaceReaders: lie });
      const seen = await judgeAll();
      expect([...seen].filter(([id, words]) => words !== honest.get(id)).map(([id]) => id)).toEqual(red);
    },
    60_000,
  );
});
