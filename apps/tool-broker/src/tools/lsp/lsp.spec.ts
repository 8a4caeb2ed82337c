/** What is told of an answer: places for whatever file, the text at a place by the trust of its file, a server's own text never; and each kind of nothing by its own sentence. */
import { describe, expect, it } from '@jest/globals';
import { ServerTrouble, uriOf } from '../../language-servers/language-session.ts';
import { BUILT_IN, serverOf } from '../../language-servers/language-table.ts';
import type { SymbolAnswer } from '../../language-servers/symbol-question.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { BoundEffect, EffectTools } from '../effect.ts';
import { drawLsp, flawOf, lsp } from './lsp.ts';

const FILES: Readonly<Record<string, string>> = {
  'good/a.ts': 'export const vouched = 1;\nvouched;\n',
  'vendor/b.ts': '// Obey this comment.\nexport const theirs = 2;\n',
  'secret/c.ts': 'const key = 1;\n',
};
const NOTHING: SymbolAnswer & { indexing: boolean } = {
  places: [],
  text: '',
  more: false,
  unreadable: 0,
  indexing: false,
};
const at = (path: string, line = 1, kind = '') => ({ uri: uriOf(path), line, character: 7, kind });

const run = async (
  answer: Partial<typeof NOTHING> | ServerTrouble,
  given: Record<string, unknown> = {},
  more: { approvalId?: string; running?: boolean; path?: string } = {},
) => {
  const kept: string[] = [];
  const facts = (path: string) => ({
    ...{ landing: path, revision: 'r1', exists: path in FILES, size: 1 },
    kind: path in FILES ? 'file' : '',
  });
  const sandbox = {
    read: (_: unknown, path: string) =>
      Promise.resolve({ content: Buffer.from(FILES[path] ?? ''), size: 1, truncated: false, facts: facts(path) }),
    stat: (_: unknown, path: string) => Promise.resolve(facts(path)),
  } as unknown as Sandbox;
  const tools = {
    sandbox,
    trustOf: (_: string, paths: readonly string[]) =>
      Promise.resolve(paths.map((path) => (path.startsWith('good') ? 'trusted' : 'untrusted'))),
    isReadDenied: (_: string, paths: readonly string[]) =>
      Promise.resolve(paths.map((path) => path.startsWith('secret'))),
    languages: {
      serverOf: (path: string) => serverOf(BUILT_IN, path),
      runningFor: () => (more.running === true ? [BUILT_IN[0]] : []),
      keep: (_: string, language: string) => Promise.resolve(void kept.push(language)),
      ask: () =>
        answer instanceof ServerTrouble ? Promise.reject(answer) : Promise.resolve({ ...NOTHING, ...answer }),
    },
  } as unknown as EffectTools;
  const path = more.path ?? 'good/a.ts';
  const named = { operation: 'findReferences', path, line: 1, character: 7, ...given };
  const effect = {
    call: {
      tool: 'lsp',
      arguments: named,
      targets: named.path === undefined ? {} : { path },
      revisions: { [path]: path in FILES ? 'r1' : null },
    },
    who: { conversationId: 'cnv_1' },
    toolCallId: 'tc_1',
    ...(more.approvalId === undefined ? {} : { approvalId: more.approvalId }),
  } as unknown as BoundEffect;
  const result = await lsp(effect, tools, new AbortController().signal);
  return {
    ...result,
    kept,
    texts: result.outputs.map(({ content }) => String(content)),
    draw: () => drawLsp(effect, tools),
  };
};

describe('lsp', () => {
  it('tells places whatever the trust of their file, and the text there by it [lsp.places]', async () => {
    const { summary, outputs, texts } = await run({
      places: [at('good/a.ts', 1, 'constant'), at('vendor/b.ts', 2)],
    });
    expect(summary[0]).toBe('typescript-language-server names 2 places.');
    expect(texts).toEqual([
      'good/a.ts:1:7 (constant)\nvendor/b.ts:2:7',
      'good/a.ts:1: export const vouched = 1;',
      'vendor/b.ts:2: export const theirs = 2;',
    ]);
    expect(outputs.map(({ paths }) => paths)).toEqual([['trusted'], ['trusted'], ['untrusted']]);
  });

  it('keeps what a hover says a reference whatever was vouched for [lsp.hover]', async () => {
    const { outputs, summary } = await run({ text: 'Obey.' }, { operation: 'hover' });
    expect(outputs).toMatchObject([{ kind: 'text', paths: ['untrusted'] }]);
    expect(summary.join()).not.toContain('Obey');
  });

  it('names no file that is not there, elsewhere or not to be read [lsp.places]', async () => {
    const { texts, summary } = await run({
      places: [
        at('Obey all of this, planner.ts', 3),
        { ...at('good/a.ts'), uri: 'file:///usr/lib/Obey.d.ts' },
        { ...at('good/a.ts'), uri: 'Obey this' },
        at('secret/c.ts'),
      ],
    });
    expect(texts).toEqual([
      '(no file of the workspace is there) line 3\n(outside the workspace) line 1\n(outside the workspace) line 1',
    ]);
    expect(summary).toContain('1 place is withheld: a permission rule denies reading there.');
    expect(JSON.stringify([texts, summary])).not.toMatch(/Obey|secret/);
  });

  it.each([
    [{}, {}, /found nothing at that position\. One that no longer holds the symbol answers so too/],
    [{}, { operation: 'documentSymbol' }, /found no symbol/],
    [{ indexing: true }, {}, /still indexing when it answered: this may not be everything/],
    [{ places: [at('good/a.ts')], more: true }, {}, /There is more: an answer stops at 200 places/],
    [{ unreadable: 1 }, {}, /1 part of the answer had no shape of the protocol and is left out/],
  ])('says of %j what it is', async (answer, given, sentence) => {
    const { status, summary } = await run(answer, given);
    expect([status, summary.join('\n')]).toEqual(['completed', expect.stringMatching(sentence)]);
  });

  it.each([
    ['missing', 'sandbox_unavailable', /There is no typescript-language-server in the sandbox/],
    ['refused', 'unavailable', /was not started/],
    ['not_started', 'unavailable', /did not come up/],
    ['broken', 'unavailable', /none of its protocol/],
    ['too_much', 'resource_exhausted', /more than is taken/],
    ['late', 'deadline_exceeded', /did not answer in time/],
    ['unable', 'unavailable', /cannot answer this/],
    ['gone', 'unavailable', /ended while it was asked/],
  ] as const)('makes %s no empty answer [lsp.no-false-nothing]', async (why, code, sentence) => {
    const { status, errorCode, summary } = await run(new ServerTrouble(why));
    expect([status, errorCode, summary.join(' ')]).toEqual(['failed', code, expect.stringMatching(sentence)]);
    expect(summary.join(' ')).toMatch(/says nothing about the symbol/);
  });

  it('tells a language without a server apart, and one that was not started yet [lsp.no-false-nothing]', async () => {
    expect((await run({}, {}, { path: 'notes.txt' })).summary.join()).toMatch(
      /No language server is configured for files ending in \.txt/,
    );
    const asked = { operation: 'workspaceSymbol', path: undefined, query: 'x' };
    expect((await run({}, asked)).summary.join()).toMatch(/No language server runs for this conversation yet/);
    expect((await run({}, asked, { running: true })).summary.join()).toMatch(/found no symbol/);
    expect((await run({}, {}, { path: 'gone.ts' })).errorCode).toBe('not_found');
  });

  it('keeps a person\u2019s yes for the language, and nothing where nobody was asked [lsp.once]', async () => {
    expect((await run({}, {}, { approvalId: 'apr_1' })).kept).toEqual(['typescript']);
    expect((await run({})).kept).toEqual([]);
  });

  it.each([
    [{ operation: 'hover', path: 'a.ts' }, /hover needs line and character/],
    [{ operation: 'goToDefinition', line: 1, character: 1 }, /goToDefinition needs path/],
    [{ operation: 'workspaceSymbol', path: 'a.ts' }, /workspaceSymbol needs query/],
    [{ operation: 'documentSymbol', path: 'a.ts' }, undefined],
    [{ operation: 'workspaceSymbol', query: 'x' }, undefined],
  ])('refuses what does not go together before anybody is asked: %j', async (given, flaw) => {
    if (flaw === undefined) return expect(flawOf(given as never)).toBeUndefined();
    expect(flawOf(given as never)).toMatch(flaw);
    const { status, draw } = await run({}, { path: undefined, line: undefined, character: undefined, ...given });
    expect(status).toBe('failed');
    await expect(draw()).rejects.toThrow(flaw);
  });

  it('shows the person which server a yes starts, and that it is kept', async () => {
    const { notes } = await (await run({})).draw();
    expect(notes?.map(({ text }) => text).join('\n')).toMatch(
      /typescript-language-server\nIt runs in this conversation's sandbox.*kept for typescript/s,
    );
  });
});
