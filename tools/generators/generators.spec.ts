/** What the generators write follows the layout's own rules, and nothing is written for a name that breaks them. */
import { describe, expect, it } from '@jest/globals';
import { FsTree } from 'nx/src/generators/tree.js';
import { createRequire } from 'node:module';
import path from 'node:path';
// @ts-expect-error the rule is plain JavaScript, as ESLint loads it
import { judgeImport } from '../lint/import-rule.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

const generate = async (name: string, options: Record<string, string>): Promise<Map<string, string>> => {
  const tree = new FsTree(root, false);
  const generator = require(`./${name}/generator.cjs`) as (tree: FsTree, options: Record<string, string>) => Promise<unknown>;
  await generator(tree, options);
  return new Map(tree.listChanges().map((change) => [change.path, String(change.content)]));
};

const importsOf = (code: string): string[] => [...code.matchAll(/^(?:import|export) .*?from '([^']+)';/gms)].map((match) => match[1] ?? '');

describe('the generators', () => {
  it.each([
    ['use-case', { app: 'tool-broker', area: 'grants', name: 'revoke-grant' }, 'apps/tool-broker/src/grants/revoke-grant.ts'],
    ['tool', { name: 'read-git', permission: 'view_content' }, 'apps/tool-broker/src/tools/read-git/read-git.ts'],
    ['app', { name: 'billing' }, 'apps/billing/src/main.ts'],
  ])('%s writes files that the import rule accepts', async (name, options, expected) => {
    const files = await generate(name, options);
    expect([...files.keys()]).toContain(expected);
    const broken = [...files].flatMap(([file, code]) => (file.endsWith('.ts') ? importsOf(code).map((specifier) => judgeImport(file, specifier, false) as string | undefined).filter((problem) => problem && !problem.includes('@bravo/chassis') && !problem.includes('@bravo/config')) : []));
    expect(broken).toEqual([]);
    for (const [file, code] of files) expect({ file, leftover: /<%|TODO/.test(code) }).toEqual({ file, leftover: false });
  });

  it('tool writes a spec beside its executor', async () => {
    const files = await generate('tool', { name: 'read-git', permission: 'view_content' });
    expect(files.get('apps/tool-broker/src/tools/read-git/read-git.spec.ts')).toMatch(/checkManifest\(readGitTool/);
    expect(files.get('apps/tool-broker/src/manifests/read-git.ts')).toMatch(/path: \{ class: 'routing', reaches: 'read_path' \}/);
  });

  it('tool adds its rows to both catalogues', async () => {
    const files = await generate('tool', { name: 'read-git', permission: 'view_content' });
    expect(files.get('apps/tool-broker/src/manifests/catalogue.ts')).toMatch(/FIRST_PARTY_TOOLS = \[[^\]]*readGitTool/s);
    expect(files.get('apps/tool-broker/src/tools/executors.ts')).toMatch(/read_git: readGit,/);
  });

  it.each([
    ['use-case', { app: 'tool-broker', area: 'utils', name: 'revoke-grant' }],
    ['use-case', { app: 'tool-broker', area: 'grants', name: 'grants' }],
    ['use-case', { app: 'no-such-app', area: 'grants', name: 'revoke-grant' }],
    ['app', { name: 'gateway' }],
    ['tool', { name: 'Git' }],
  ])('%s refuses %j', async (name, options) => {
    await expect(generate(name, options)).rejects.toThrow();
  });
});
