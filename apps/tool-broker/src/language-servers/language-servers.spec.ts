/** Language servers as real processes, most of them hostile: each of their ways is an answer or a trouble of ours, and never an exception. */
import { waitUntil } from '@bravo/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { OnBehalfOf } from '../sandbox/sandbox.ts';
import { pathOf, ServerTrouble, SESSION_LIMITS, uriOf } from './language-session.ts';
import { startLanguageSession } from './language-session.client.ts';
import { createLanguageServers } from './language-servers.ts';
import { BUILT_IN, readLanguageTable, serverOf } from './language-table.ts';
import { MAX_PLACES, type Operation } from './symbol-question.ts';
import { serverThat, spawnedSessions } from './spawned-session.fixture.ts';

const who = { conversationId: 'cnv_1' } as OnBehalfOf;
const signal = new AbortController().signal;
const LIMITS = { ...SESSION_LIMITS, startMs: 20_000, answerMs: 6_000, indexMs: 8_000, bytes: 4 * 1024 * 1024 };
const SHORT = { ...LIMITS, answerMs: 700, indexMs: 1_500 };
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const bench = (limits = LIMITS, more: object = {}) => {
  const sessions = spawnedSessions();
  const servers = createLanguageServers({
    openSession: sessions.openSession,
    startSession: startLanguageSession,
    limits,
    ...more,
  });
  closing.push(async () => {
    sessions.killAll();
    await servers.close();
  });
  const ask = (mode: string, operation: Operation = 'findReferences', text = 'export const a = 1;', of = who) =>
    servers.ask(
      of,
      serverThat(mode),
      { operation, path: 'src/a.ts', line: 1, character: 8, query: 'a' },
      { path: 'src/a.ts', text },
      signal,
    );
  return { ...sessions, servers, ask };
};
const troubleOf = async (asked: Promise<unknown>): Promise<string> => {
  const error: unknown = await asked.then(
    () => new Error('it was answered'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ServerTrouble)) throw error;
  return error.why;
};

describe('a language server', () => {
  it('is started once for a conversation, asked all operations, and ended with its process', async () => {
    const { ask, children, servers } = bench();
    const a = { uri: uriOf('src/a.ts'), line: 1, character: 8, kind: '' };
    const b = { uri: uriOf('src/b.ts'), line: 2, character: 3, kind: '' };
    expect(await ask('good')).toEqual({ places: [a, b], text: '', more: false, unreadable: 0, indexing: false });
    expect((await ask('good', 'goToDefinition')).places).toEqual([a]);
    expect((await ask('good', 'goToImplementation')).places).toEqual([]);
    expect((await ask('good', 'hover')).text).toBe('Obey the doc comment.');
    expect((await ask('good', 'documentSymbol')).places.map(({ kind }) => kind)).toEqual(['class', 'method']);
    expect((await ask('good', 'workspaceSymbol')).places).toEqual([{ ...a, kind: 'function' }]);
    expect((await ask('good', 'incomingCalls')).places).toEqual([{ ...b, kind: 'function' }]);
    expect((await ask('good', 'outgoingCalls')).places).toEqual([]);
    expect(children).toHaveLength(1);
    await ask('good', 'hover', 'x', { ...who, conversationId: 'cnv_2' });
    expect(children).toHaveLength(2);
    expect(servers.started('cnv_1')).toEqual(['typescript']);
    await servers.close('cnv_1');
    expect(servers.started('cnv_1')).toEqual([]);
    await waitUntil('the process to be gone', () =>
      Promise.resolve(children[0]?.exitCode !== null || children[0].signalCode !== null),
    );
    expect(servers.started('cnv_2')).toEqual(['typescript']);
  }, 90_000);

  it('is shown the file as it is now with each question', async () => {
    const { ask } = bench();
    expect((await ask('echoes', 'hover', 'one')).text).toBe('one');
    expect((await ask('echoes', 'hover', 'two')).text).toBe('two');
  }, 60_000);

  it.each([
    ['garbage', 'broken'],
    ['no-json', 'broken'],
    ['no-length', 'broken'],
    ['huge', 'too_much'],
    ['flood', 'too_much'],
    ['dies', 'gone'],
  ])(
    'that answers %s is %s, and the next question starts another [lsp.hostile]',
    async (mode, why) => {
      const { ask, children } = bench();
      expect(await troubleOf(ask(mode))).toBe(why);
      expect((await ask('good')).places).toHaveLength(2);
      expect(children).toHaveLength(2);
    },
    90_000,
  );

  it('that answers with an error is unable, and its words are nobody’s to read [lsp.hostile]', async () => {
    expect(await troubleOf(bench().ask('refuses'))).toBe('unable');
  }, 60_000);

  it.each(['never', 'wrong-ids'])(
    'that answers %s is late, and its answer to another id is nobody\u2019s [lsp.hostile]',
    async (mode) => {
      expect(await troubleOf(bench(SHORT).ask(mode))).toBe('late');
    },
    60_000,
  );

  it.each([
    ['never-starts', 'not_started'],
    ['dies-at-once', 'gone'],
  ])(
    'that %s has no answer [lsp.hostile]',
    async (mode, why) => {
      expect(await troubleOf(bench({ ...LIMITS, startMs: 1_500 }).ask(mode))).toBe(why);
    },
    60_000,
  );

  it('that is not there is missing', async () => {
    const { servers } = bench();
    const server = { ...serverThat('good'), argv: ['/nowhere/at-all'] };
    const question = { operation: 'hover', path: 'a.ts', line: 1, character: 1, query: '' } as const;
    expect(await troubleOf(servers.ask(who, server, question, undefined, signal))).toBe('missing');
  }, 60_000);

  it('that names too much, nothing readable or a layer in a layer is cut, counted and walked without end [lsp.hostile]', async () => {
    const many = await bench().ask('many');
    expect([many.places.length, many.more]).toEqual([MAX_PLACES, true]);
    expect(await bench().ask('shapeless')).toMatchObject({ places: [{ line: 2 }], unreadable: 5 });
    expect(await bench().ask('deep')).toMatchObject({ places: [], unreadable: 1 });
    expect(await bench().ask('prototype')).toMatchObject({ places: [], unreadable: 1 });
  }, 90_000);

  it('that asks for an edit or a command is told no, and answers as any other [lsp.reads-only]', async () => {
    expect((await bench().ask('edits')).places).toHaveLength(2);
  }, 60_000);

  it('that still indexes says so after a bound', async () => {
    expect((await bench(SHORT).ask('indexes')).indexing).toBe(true);
  }, 60_000);

  it('is ended when nobody asked for a while, and makes place for another conversation\u2019s', async () => {
    const idle = bench(LIMITS, { idleMs: 50 });
    await idle.ask('good');
    await waitUntil('it to be ended', () => Promise.resolve(idle.servers.started('cnv_1').length === 0));
    const full = bench(LIMITS, { atOnce: 1 });
    await full.ask('good');
    await full.ask('good', 'hover', 'x', { ...who, conversationId: 'cnv_2' });
    expect([full.servers.started('cnv_1'), full.servers.started('cnv_2')]).toEqual([[], ['typescript']]);
  }, 90_000);
});

describe('the table of language servers', () => {
  it('knows four languages by the ending of a name alone', () => {
    const names = ['a.ts', 'b.JSX', 'c.py', 'd.go', 'e.rs', 'f.txt', 'Makefile', '.ts/x'];
    expect(names.map((name) => serverOf(BUILT_IN, name)?.language)).toEqual([
      ...['typescript', 'typescript', 'python', 'go', 'rust', undefined, undefined, undefined],
    ]);
  });

  it('takes more by configuration and says what is wrong with it', () => {
    const lua = { language: 'lua', title: 'lua', extensions: { lua: 'lua' }, argv: ['/usr/bin/lua-ls'] };
    expect(serverOf(readLanguageTable(JSON.stringify([lua])), 'a.lua')?.title).toBe('lua');
    const other = { ...lua, language: 'go', extensions: { go: 'go' } };
    expect(serverOf(readLanguageTable(JSON.stringify([other])), 'a.go')?.title).toBe('lua');
    for (const [text, words] of [
      ['{', /no JSON/],
      ['[{}]', /cannot be used/],
      [JSON.stringify([{ ...lua, argv: ['lua-ls'] }]), /absolute path/],
      [JSON.stringify([{ ...lua, argv: ['/a/../b'] }]), /absolute path/],
    ] as const)
      expect(() => readLanguageTable(text)).toThrow(words);
  });

  it('reads a path of the files out of an address, and of nothing else', () => {
    expect(pathOf('file:///workspace/src/a%20b.ts')).toBe('src/a b.ts');
    for (const uri of [
      'file:///workspace',
      'file:///workspace/',
      'file:///workspace/../etc/passwd',
      'file:///workspace/%2e%2e/%2e%2e/etc/passwd',
      'file:///workspacex/a',
      'file://host/workspace/a',
      'file:///workspace/a%00b',
      'file:///workspace//a',
      'https://example.com/workspace/a',
      'prose',
      '%',
    ])
      expect([uri, pathOf(uri)]).toEqual([uri, undefined]);
  });
});
