import { describe, expect, it } from '@jest/globals';
import { CappedOutput } from './capped-output.ts';
import { commandLine, environment, scriptName } from './command-line.ts';
import { IdRanges } from './id-ranges.ts';
import { MAX_SLOTS, instanceOf } from './instance.ts';
import { cleanName, shownName } from './printable-name.ts';
import { signalOf } from './run-to-end.ts';

const PROGRAM = {
  language: 'node',
  code: '',
  files: [],
  env: {},
  limits: { timeoutSeconds: 1, memoryMb: 64, cpu: 1 },
} as const;

describe('a command line', () => {
  it('names the script, which is never written over a file', () => {
    expect(scriptName('python', new Set())).toBe('main.py');
    expect(scriptName('node', new Set(['main.js', 'main_1.js']))).toBe('main_2.js');
    const args = commandLine(PROGRAM, '/opt/node/bin/node', 'main.js');
    expect(args.slice(-3)).toEqual(['/opt/node/bin/node', '--max-old-space-size=64', '/workspace/main.js']);
  });

  it('has an environment of its own in which the caller has the last word', () => {
    expect(environment({ ...PROGRAM, env: { HOME: '/x', NEW: 'y' } })).toMatchObject({
      HOME: '/x',
      NEW: 'y',
      LANG: 'C.UTF-8',
    });
  });
});

describe('capped output', () => {
  it('passes exactly the limit and cuts what is more', () => {
    const output = new CappedOutput(5);
    expect([output.take(Buffer.from('abc')).length, output.take(Buffer.from('de')).length, output.truncated]).toEqual([
      3,
      2,
      false,
    ]);
    expect([output.take(Buffer.from('f')).length, output.truncated]).toEqual([0, true]);
  });
});

describe('ranges of ids', () => {
  it("are one program's until they are given back, and then the next one's", async () => {
    const ranges = new IdRanges(1);
    expect(await ranges.take()).toBe(0);
    let second: number | undefined;
    void ranges.take().then((range) => (second = range));
    await new Promise((resolve) => setImmediate(resolve));
    expect([second, ranges.free]).toEqual([undefined, 0]);
    ranges.giveBack(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(second).toBe(0);
  });
});

describe('an instance', () => {
  it('is the same for the same directory only, and keeps every id apart and positive', () => {
    const [a, b] = [instanceOf('/a/sandbox'), instanceOf('/b/sandbox')];
    expect(instanceOf('/a/sandbox').id).toBe(a.id);
    expect(a.runtimeDirectory).not.toBe(b.runtimeDirectory);
    expect(a.firstHostId(1) - a.firstHostId(0)).toBe(65_536);
    for (let n = 0; n < 500; n += 1)
      expect(instanceOf(`/${n}`).firstHostId(MAX_SLOTS - 1) + 65_536).toBeLessThan(2 ** 31);
    expect(() => a.firstHostId(MAX_SLOTS)).toThrow(RangeError);
  });
});

describe('a name out of the sandbox', () => {
  it.each([
    [Buffer.from('a b ü'), 'a b ü'],
    [Buffer.from([0x61, 0xff]), 'a\\xff'],
    [Buffer.from('a\nb'), 'a\\x0ab'],
    [Buffer.from('\u202ea'), '\\xe2\\x80\\xaea'],
    [Buffer.from('\ufeffa'), '\\xef\\xbb\\xbfa'],
    [Buffer.from('\\\n'), '\\x5c\\x0a'],
  ])('%j is shown as %s', (name, shown) => {
    expect(shownName(name)).toBe(shown);
    expect(cleanName(name)).toBe(shown.includes('\\x') ? undefined : shown);
  });
});

describe('the signal of an exit code', () => {
  it('follows the convention of shells', () => {
    expect([0, 1, 128, 134, 137, 139, 143, 255].map(signalOf)).toEqual([
      '',
      '',
      '',
      'SIGABRT',
      'SIGKILL',
      'SIGSEGV',
      'SIGTERM',
      '',
    ]);
  });
});
