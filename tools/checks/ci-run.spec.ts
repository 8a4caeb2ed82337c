/** CI's last line is "N passed, N failed" and its exit code is never better than what happened. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkout } from '../stack/checkout.ts';

describe('.ci/run', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'bravo ci '));
    mkdirSync(path.join(root, '.ci'));
    copyFileSync(path.join(checkout, '.ci', 'run'), path.join(root, '.ci', 'run'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** Runs it with a `bravo` that answers as told. */
  const ci = (test: string, bench?: string) => {
    writeFileSync(path.join(root, 'bravo'), `#!/bin/sh\ncase $1 in test) ${test};; bench) ${bench ?? 'exit 9'};; esac\n`, {
      mode: 0o755,
    });
    if (bench !== undefined) {
      mkdirSync(path.join(root, 'benchmarks'));
      writeFileSync(path.join(root, 'benchmarks', 'one.bench.ts'), '');
    }
    const { status, stdout } = spawnSync(path.join(root, '.ci', 'run'), { encoding: 'utf8', cwd: '/', input: 'unread' });
    return { status, last: stdout.trim().split('\n').at(-1) };
  };

  it.each([
    ['all passed', 'echo x; echo "7 passed, 0 failed"', undefined, { status: 0, last: '7 passed, 0 failed' }],
    ['some failed', 'echo "6 passed, 1 failed"; exit 1', undefined, { status: 1, last: '6 passed, 1 failed' }],
    ['broke down before it counted', 'echo oops >&2; exit 3', undefined, { status: 1, last: '0 passed, 1 failed' }],
    ['broke down after it counted', 'echo "7 passed, 0 failed"; exit 1', undefined, { status: 1, last: '7 passed, 1 failed' }],
    ['counted nothing and said all is well', 'exit 0', undefined, { status: 1, last: '0 passed, 1 failed' }],
    ['benchmarks too', 'echo "7 passed, 0 failed"', 'echo "2 passed, 0 failed"', { status: 0, last: '9 passed, 0 failed' }],
    ['benchmarks broke down', 'echo "7 passed, 0 failed"', 'exit 2', { status: 1, last: '7 passed, 1 failed' }],
    ['a benchmark failed', 'echo "7 passed, 0 failed"', 'echo "1 passed, 1 failed"; exit 1', { status: 1, last: '8 passed, 1 failed' }],
  ])('%s', (_name, test, bench, wanted) => expect(ci(test, bench)).toEqual(wanted));
});
