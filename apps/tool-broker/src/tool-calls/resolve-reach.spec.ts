import { describe, expect, it } from '@jest/globals';
import { Fault } from '@bravo/faults';
import type { ArgumentManifest, ToolManifest } from '@bravo/policy';
import type { BoundAgent } from '../access/agent.ts';
import { readFileTool } from '../manifests/read-file.ts';
import { resolveReach } from './resolve-reach.ts';

const agent = { conversationId: 'cnv_1' } as BoundAgent;
const FILES: Readonly<Record<string, string>> = { 'a.txt': 'r1', 'link.txt': 'r1', 'old.txt': 'r0' };

const sources = {
  conversations: { trustMap: async () => [{ path: 'a.txt', trust: true }] },
  slots: {
    refs: async (_conversation: string, numbers: readonly number[]) =>
      numbers[0] === 3
        ? [
            {
              number: 3,
              origin: '',
              name: '',
              kind: '',
              lines: 0,
              bytes: 0,
              tool: 'read_file',
              path: '',
              label: { integrity: 'untrusted', confidentiality: 'private' } as const,
            },
          ]
        : [],
  },
  isReadDenied: async (_who: unknown, paths: readonly string[]) => paths.map(() => false),
  sandbox: {
    list: async () => ({ entries: [], truncated: false, landing: '' }),
    programs: async () => new Map(),
    stat: async (_who: unknown, path: string) => {
      if (path.startsWith('..')) throw new Fault('invalid_argument', 'The path leaves the workspace.');
      const landing = path === 'link.txt' ? 'a.txt' : path;
      const revision = FILES[path] ?? '';
      return { landing, revision, exists: revision !== '', size: 1, kind: 'file' };
    },
  },
};

const tool = (given: Record<string, ArgumentManifest>, effect: ToolManifest['effect'] = 'write'): ToolManifest => ({
  ...readFileTool.manifest,
  name: 'spec_tool',
  effect,
  arguments: { ...given, why: { class: 'content' } },
});
const resolve = (manifest: ToolManifest, given: Record<string, string | readonly string[] | Record<string, string>>) =>
  resolveReach(sources, manifest, given, agent);

const copy = tool({
  from: { class: 'routing', reaches: 'read_path' },
  to: { class: 'routing', reaches: 'write_path' },
  flag: { class: 'routing', reaches: 'nothing' },
});

describe('an argument is resolved by what its manifest says it reaches', () => {
  it('an address to its host, as the program that fetches reads it', async () => {
    const fetch = tool({ where: { class: 'routing', reaches: 'url' } });
    const reach = await resolve(fetch, { where: 'https://u:p@DOCS.rs./a?b#c' });
    expect(reach).toMatchObject({
      targets: { where: 'docs.rs' },
      visits: [{ url: 'https://u:p@DOCS.rs./a?b#c' }],
      paths: [],
    });
    expect(await resolve(fetch, { where: 'file:///etc/passwd' })).toMatchObject({
      ...{ paths: 'unknown', inputs: 'unknown', visits: [{ url: 'file:///etc/passwd' }] },
      problems: ['The url is no http or https URL.'],
    });
  });

  it('whatever it is called', async () => {
    expect(await resolve(copy, { from: 'link.txt', to: 'old.txt', flag: 'path' })).toMatchObject({
      targets: { from: 'a.txt', to: 'old.txt' },
      paths: [
        { path: 'a.txt', access: 'read', trust: 'trusted', revision: 'r1' },
        { path: 'old.txt', access: 'write', trust: 'unmentioned', revision: 'r0' },
      ],
      inputs: [],
      problems: [],
    });
  });

  it('and nothing is known of the call when one of them cannot be', async () => {
    const unresolved = { paths: 'unknown', inputs: 'unknown', writesThroughReference: 'unknown' };
    expect(await resolve(copy, { from: 'a.txt', to: '../out' })).toMatchObject({
      ...unresolved,
      problems: ['The path leaves the workspace.'],
    });
    expect(await resolve(copy, { from: ['a.txt'], to: 'b.txt' })).toMatchObject(unresolved);
  });

  it('a directory left out is the whole workspace, a path left out is none', async () => {
    const list = tool({
      where: { class: 'routing', reaches: 'directory' },
      path: { class: 'routing', reaches: 'read_path' },
    });
    expect(await resolve(list, {})).toMatchObject({ targets: { where: '' }, paths: [] });
    expect((await resolve(list, {})).targets).not.toHaveProperty('path');
  });

  it('files go in with their label and must be there', async () => {
    const run = tool({ inputs: { class: 'routing', reaches: 'input_files' } });
    expect(await resolve(run, { inputs: ['link.txt', 'old.txt'] })).toMatchObject({
      targets: { inputs: { 'link.txt': 'a.txt', 'old.txt': 'old.txt' } },
      inputs: [
        { name: 'a.txt', label: { integrity: 'trusted', confidentiality: 'private' } },
        { name: 'old.txt', label: { integrity: 'untrusted', confidentiality: 'private' } },
      ],
    });
    expect(await resolve(run, { inputs: ['gone.txt'] })).toMatchObject({ paths: 'unknown' });
  });

  it('a reference brings its label, and a write through it is one', async () => {
    const through = { source: { class: 'content', reaches: 'reference' } } as const;
    expect(await resolve(tool(through), { source: 'ref:3' })).toMatchObject({
      targets: { source: 3 },
      inputs: [{ name: 'ref:3', label: { integrity: 'untrusted' } }],
      writesThroughReference: true,
    });
    expect(await resolve(tool(through, 'read'), { source: 'ref:3' })).toMatchObject({ writesThroughReference: false });
    expect(await resolve(tool(through), { source: 'ref:9' })).toMatchObject({ inputs: 'unknown' });
  });

  it('an environment is one when it sets something', async () => {
    const run = tool({ variables: { class: 'routing', reaches: 'environment' } });
    expect(await resolve(run, { variables: { A: '1' } })).toMatchObject({ assignsEnvironment: true });
    expect(await resolve(run, { variables: {} })).toMatchObject({ assignsEnvironment: false });
    expect(await resolve(run, { variables: 'A=1' })).toMatchObject({ assignsEnvironment: 'unknown' });
  });
});
