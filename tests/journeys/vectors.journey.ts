/** The policy cases at the edge of a whole platform: settings written over REST, files written and read over MCP, decisions explained by the broker. */
import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import path from 'node:path';
import { usePlatform } from './support/platform.ts';

const stage = usePlatform();
const checkout = path.resolve(import.meta.dirname, '../..');

interface Report {
  readonly results: readonly {
    readonly suite: string;
    readonly layer: string;
    readonly passed: number;
    readonly total: number;
    readonly failed: readonly unknown[];
    readonly notMet: Readonly<Record<string, number>>;
  }[];
  readonly errors: readonly unknown[];
  readonly seconds: number;
}

/** How many cases could be met at each layer when this was counted: all of them, so that fewer are a mistake; a new case may make them more. */
const LEAST: Readonly<Record<string, number>> = {
  'permission-rules/settings': 223,
  'permission-rules/explain': 86,
  'permission-rules/mcp': 71,
  'permission-lists/settings': 83,
  'permission-lists/explain': 14,
  'permission-lists/mcp': 6,
  'settings-merge/settings': 40,
  'trust-map/explain': 21,
  'trust-map/mcp': 10,
  'labels/explain': 5,
  'labels/mcp': 5,
  'limits/settings': 1,
  'limits/mcp': 1,
  'command-lines/explain': 161,
  'command-lines/mcp': 89,
  'proven-reads/explain': 59,
  'public-addresses/explain': 68,
  'public-addresses/mcp': 68,
};

describe('./bravo vectors --edge', () => {
  it('meets the cases where a person and an agent can, and puts back what it found [policy.edge]', async () => {
    const { alice, platform } = stage;
    const mine = { permissions: { deny: ['Read(mine/**)'] } };
    await alice.send('PUT', '/bravo/settings/user', mine);
    const config = await alice.get('/bravo/config');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--conditions=source',
        path.join(checkout, 'tools/cli/main.ts'),
        'vectors',
        path.join(checkout, 'test-vectors'),
        '--edge',
        '--json',
      ],
      { env: { PATH: process.env['PATH'] ?? '', BRAVO_HOME: platform.home }, maxBuffer: 32 * 1024 * 1024 },
    ).catch((error: { stdout: string; stderr: string }) => {
      if (error.stdout === '') throw new Error(error.stderr);
      return error;
    });
    const { results, errors, seconds } = JSON.parse(stdout) as Report;
    for (const { suite, layer, passed, total } of results)
      if (total > 0) process.stderr.write(`${suite} ${layer} ${passed}/${total}\n`);
    process.stderr.write(`met at the edge in ${seconds.toFixed(1)} s\n`);
    expect(errors).toEqual([]);
    expect(results.filter(({ failed }) => failed.length > 0)).toEqual([]);
    const fewer = Object.entries(LEAST).flatMap(([place, least]) => {
      const met = results.find(({ suite, layer }) => `${suite}/${layer}` === place)?.total ?? 0;
      return met < least ? [{ place, met, least }] : [];
    });
    expect(fewer).toEqual([]);
    expect(await alice.get('/bravo/settings/user')).toEqual(mine);
    expect(await alice.get('/bravo/config')).toEqual(config);
  }, 300_000);
});
