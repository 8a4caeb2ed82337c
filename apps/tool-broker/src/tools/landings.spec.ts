/** What the tools do when a path leads elsewhere than where it was judged: a link that a program put there between decision and effect. */
import { describe, expect, it } from '@jest/globals';
import { executeScript } from './execute-script/execute-script.ts';
import type { BoundEffect, EffectTools } from './effect.ts';
import { listFiles } from './list-files/list-files.ts';
import { readFile } from './read-file/read-file.ts';
import { search } from './search/search.ts';

const facts = (landing: string) => ({ landing, revision: 'r1', exists: true, size: 1, kind: 'file' });

/** The call was judged for `notes.txt` and for the directory `docs`. */
const effect = (more: object = {}): BoundEffect =>
  ({
    toolCallId: 'tc_1',
    who: { conversationId: 'cnv_1' },
    call: {
      arguments: { pattern: 'x', language: 'bash', code: 'true' },
      targets: { path: 'notes.txt', directory: 'docs', files: { 'notes.txt': 'notes.txt' } },
      revisions: { 'notes.txt': 'r1' },
      ...more,
    },
  }) as unknown as BoundEffect;

const found = { nextOffset: 0, matchesSeen: 0, filesSearched: 0, filesSkipped: 0, partial: [] };

const means = (
  landings: { file: string; directory: string },
  entries: object[] = [],
  denied: string[] = [],
): EffectTools =>
  ({
    sandbox: {
      stat: () => Promise.resolve(facts(landings.file)),
      read: () =>
        Promise.resolve({ content: Buffer.from('s'), size: 1, truncated: false, facts: facts(landings.file) }),
      list: () => Promise.resolve({ entries, truncated: false, landing: landings.directory }),
      search: () =>
        Promise.resolve({
          ...found,
          matches: [{ path: `${landings.directory}/a`, line: 1, text: 'x' }],
          landing: landings.directory,
        }),
      execute: () => Promise.reject(new Error('it ran')),
    },
    trustOf: (_: string, paths: string[]) => Promise.resolve(paths.map(() => 'trusted')),
    trustOfNames: (_: string, paths: string[]) => Promise.resolve(paths.map(() => 'trusted')),
    isReadDenied: (_: string, paths: string[]) => Promise.resolve(paths.map((path) => denied.includes(path))),
  }) as unknown as EffectTools;

const SIGNAL = new AbortController().signal;
const there = { file: 'notes.txt', directory: 'docs' };

describe('a path that leads elsewhere by now [workspace.landing]', () => {
  it.each([
    ['read_file', readFile, { ...there, file: 'secret.env' }],
    ['list_files', listFiles, { ...there, directory: 'private' }],
    ['search', search, { ...there, directory: 'private' }],
    ['execute_script', executeScript, { ...there, file: 'secret.env' }],
  ] as const)(
    '%s tells nothing of where it leads, also with the revision that was judged',
    async (_, tool, landings) => {
      expect(await tool(effect(), means(landings), SIGNAL)).toMatchObject({ status: 'failed', errorCode: 'conflict' });
    },
  );

  it('is read, listed and searched where it leads there still', async () => {
    for (const tool of [readFile, listFiles, search])
      expect(await tool(effect(), means(there), SIGNAL)).toMatchObject({ status: 'completed' });
  });

  it('is withheld from a listing where a rule denies reading what it leads to', async () => {
    const entries = [
      { path: 'docs/plain', kind: 'link', size: 0, landing: 'docs/a' },
      { path: 'docs/innocent', kind: 'link', size: 0, landing: '.env' },
      { path: 'docs/out', kind: 'link', size: 0, landing: '' },
    ];
    const { summary, outputs } = await listFiles(effect(), means(there, entries, ['.env']), SIGNAL);
    expect(outputs.map(({ content }) => String(content))).toEqual(['docs/plain (link)\ndocs/out (link)']);
    expect(summary.join(' ')).toContain('1 entry is withheld');
  });
});
