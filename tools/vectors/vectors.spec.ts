/** Cases of anybody's own: which hold, which fail, and what is wrong with a file that cannot be replayed. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkout, nodeProgram } from '../stack/checkout.ts';
import { replayFolder } from './replay-folder.ts';
import { SUITES } from './suites.ts';

describe('./bravo vectors', () => {
  let scratch: string;
  beforeAll(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'bravo-vectors-'));
  });
  afterAll(() => {
    rmSync(scratch, { recursive: true });
  });

  const folderWith = (name: string, files: Readonly<Record<string, string>>): string => {
    const folder = path.join(scratch, name);
    mkdirSync(folder);
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
    return folder;
  };
  const glob = (id: string, pattern: string, matches: boolean, more = ''): string =>
    `  - {id: ${id}, tool: search, glob: '${pattern}', path: a.rs, matches: ${matches}${more}}\n`;

  it('has no failing case in the vectors of this checkout', () => {
    const { suites, errors } = replayFolder(path.join(checkout, 'test-vectors'), SUITES);
    expect(errors).toEqual([]);
    expect(suites.filter(({ failed }) => failed.length > 0)).toEqual([]);
    expect(suites.map(({ suite }) => suite)).toEqual(SUITES.map(({ name }) => name));
  });

  it('counts what holds and names what fails, over all files of a suite, and ends with 1', () => {
    const folder = folderWith('mixed', {
      'one.yaml': `suite: globs\ncases:\n${glob('holds', '*.rs', true)}${glob('fails', '*.ts', true)}`,
      'two.yaml': `suite: globs\ncases:\n${glob('holds-too', '*.ts', false)}`,
      'notes.txt': 'not a case',
    });
    const { status, stdout } = bravo(['vectors', folder, '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      suites: [
        {
          suite: 'globs',
          passed: 2,
          total: 3,
          failed: [
            {
              id: 'fails',
              file: path.join(folder, 'one.yaml'),
              expected: { matches: true, named: false, withinBound: true },
              actual: { matches: false, named: false, withinBound: true },
            },
          ],
        },
      ],
      errors: [],
    });
    expect(bravo(['vectors', folder]).stdout).toBe('globs  2/3\n  failed: fails\nall    2/3\n');
  });

  it.each([
    ['an unknown field', `suite: globs\ncases:\n${glob('odd', '*.rs', true, ', flavour: sweet')}`, 'odd', 'flavour'],
    [
      'an unknown field deep inside',
      'suite: globs\ncases:\n  - {id: deep, tool: search, glob: a, path: {repeat: a, times: 2, more: 1}, matches: true}\n',
      'deep',
      'path.more',
    ],
    ['a repeated id', `suite: globs\ncases:\n${glob('twin', '*.rs', true)}${glob('twin', '*.rs', true)}`, 'twin', 'id'],
    ['an unknown suite', 'suite: tea-leaves\ncases: [{id: x}]\n', undefined, 'suite'],
    [
      'an unknown field beside the cases',
      `suite: globs\nmood: good\ncases:\n${glob('x', '*.rs', true)}`,
      undefined,
      'mood',
    ],
    ['no case', 'suite: globs\ncases: []\n', undefined, 'cases'],
  ])('refuses %s and names file, case and field', (name, text, id, field) => {
    const folder = folderWith(name.replaceAll(' ', '-'), { 'cases.yaml': text });
    const { suites, errors } = replayFolder(folder, SUITES);
    expect(suites).toEqual([]);
    expect(errors[0]).toMatchObject({ file: path.join(folder, 'cases.yaml'), field, ...(id ? { case: id } : {}) });
  });

  it('does not take an empty folder, or a missing one, for success', () => {
    expect(bravo(['vectors', folderWith('empty', {})]).status).toBe(1);
    expect(bravo(['vectors', path.join(scratch, 'nowhere')]).status).toBe(2);
  });

  it('says at the edge that a platform has to run', () => {
    const { status, stdout, stderr } = bravo(['vectors', scratch, '--edge'], {
      BRAVO_HOME: path.join(scratch, 'home'),
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Bravo is not running');
  });
});

function bravo(
  args: readonly string[],
  env: Record<string, string> = {},
): { status: number | null; stdout: string; stderr: string } {
  const program = ['--conditions=source', path.join(checkout, 'tools', 'cli', 'main.ts')];
  const { status, stdout, stderr } = spawnSync(nodeProgram(), [...program, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}
