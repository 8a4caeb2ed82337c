/** Programs that other users must run are shared as copies only where the original is out of their reach. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { reachableByAnyUser, reachableCopy } from './traversable.ts';

describe('reachableCopy', () => {
  let root: string;
  const copies: string[] = [];
  beforeAll(() => {
    root = mkdtempSync(path.join(tmpdir(), 'bravo-reach-'));
    mkdirSync(path.join(root, 'tree'), { mode: 0o700 });
    writeFileSync(path.join(root, 'tree', 'program'), '#!/bin/sh\necho reached\n', { mode: 0o700 });
  });
  afterAll(() => {
    rmSync(root, { recursive: true });
    for (const copy of copies) rmSync(path.dirname(copy), { recursive: true });
  });

  it('is the original when everybody can reach it', () => {
    expect(reachableByAnyUser('/usr/bin/env')).toBe(true);
    expect(reachableCopy('/usr/bin/env', 'test')).toBe('/usr/bin/env');
  });

  it('is one copy, made once, that another user can run, and a new one when the original changes', () => {
    const source = path.join(root, 'tree');
    expect(reachableByAnyUser(source)).toBe(false);
    const umask = process.umask(0o077);
    const copy = reachableCopy(source, 'test');
    process.umask(umask);
    copies.push(copy);
    expect(copy).not.toContain(root);
    expect(reachableCopy(source, 'test')).toBe(copy);
    if (process.getuid?.() === 0) {
      expect(copy.startsWith(homedir())).toBe(false);
      const { stdout } = spawnSync(path.join(copy, 'program'), { uid: 65_534, gid: 65_534, encoding: 'utf8', cwd: '/' });
      expect(stdout).toBe('reached\n');
    }
    chmodSync(source, 0o700);
    writeFileSync(path.join(source, 'another'), '');
    const newer = reachableCopy(source, 'test');
    copies.push(newer);
    expect(newer).not.toBe(copy);
  });
});
