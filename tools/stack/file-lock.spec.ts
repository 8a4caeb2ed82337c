/** The lock has one holder, is free again afterwards, and survives no crash. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { tryLock } from './file-lock.ts';
import { identify } from './process-identity.ts';

describe('tryLock', () => {
  let file: string;
  beforeAll(() => {
    file = path.join(mkdtempSync(path.join(tmpdir(), 'bravo-lock-')), 'lock');
  });
  afterAll(() => rmSync(path.dirname(file), { recursive: true }));

  const taken = (): boolean => {
    const release = tryLock(file);
    release?.();
    return release === undefined;
  };

  it('is held until it is released', () => {
    const release = tryLock(file);
    expect(taken()).toBe(true);
    release?.();
    expect(taken()).toBe(false);
  });

  it('is free when its holder is gone, also when another process has the number now', () => {
    writeFileSync(file, JSON.stringify({ ...identify(process.pid), start_ticks: 1 }));
    expect(taken()).toBe(false);
  });

  it('is held while its name is being written, and free when that never ended', () => {
    writeFileSync(file, '');
    expect(taken()).toBe(true);
    utimesSync(file, new Date(), new Date(Date.now() - 60_000));
    expect(taken()).toBe(false);
  });

  it('has one holder when many find the same dead one at once', async () => {
    const program = `
      const { tryLock } = await import(process.argv[1]);
      const until = Number(process.argv[3]);
      while (Date.now() < until);
      const release = tryLock(process.argv[2]);
      process.stdout.write(release ? 'held' : 'refused');
      setTimeout(() => {}, 700);`;
    const module = new URL('./file-lock.ts', import.meta.url).href;
    writeFileSync(file, JSON.stringify({ ...identify(process.pid), start_ticks: 1 }));
    const at = String(Date.now() + 1_500);
    const contenders = Array.from({ length: 6 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program, module, file, at], { env: {} }),
    );
    const said = (await Promise.all(contenders)).map(({ stdout }) => stdout);
    expect(said.filter((word) => word === 'held')).toHaveLength(1);
  }, 20_000);
});
