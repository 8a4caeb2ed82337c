/** A build step runs when something it reads has changed, and only then; what is compiled runs as plain JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkout } from '../stack/checkout.ts';
import { compilePackage } from './compile-package.ts';
import { inputDigest } from './input-digest.ts';

describe('the build', () => {
  let root: string;
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  beforeAll(() => {
    root = mkdtempSync(path.join(tmpdir(), 'bravo build '));
    writeFileSync(path.join(root, '.swcrc'), readFileSync(path.join(checkout, '.swcrc')));
    write('libs/x/src/index.ts', "export { y } from './area/y.ts';\n");
    write('libs/x/src/area/y.ts', 'export const y: number = 42;\n');
    write('libs/x/src/area/y.spec.ts', 'throw new Error();\n');
    write('libs/x/src/area/data.json', '{}\n');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('compiles sources, rewrites their imports, copies data and leaves tests out', async () => {
    await compilePackage(root, 'libs/x');
    const dist = path.join(root, 'libs/x/dist');
    expect(readFileSync(path.join(dist, 'index.js'), 'utf8')).toContain("./area/y.js");
    expect(readFileSync(path.join(dist, 'area/y.js'), 'utf8')).toMatch(/export const y = 42/);
    expect(existsSync(path.join(dist, 'area/data.json'))).toBe(true);
    expect(existsSync(path.join(dist, 'area/y.spec.js'))).toBe(false);
  });

  it('has another digest when a file changes, moves or appears, and the same when only its own output does', () => {
    const digest = (): string => inputDigest(root, ['libs/x', 'libs/none']);
    const before = digest();
    write('libs/x/dist/other.js', 'x');
    write('libs/x/node_modules/y/index.js', 'x');
    expect(digest()).toBe(before);
    write('libs/x/src/area/z.ts', '');
    const added = digest();
    expect(added).not.toBe(before);
    rmSync(path.join(root, 'libs/x/src/area/z.ts'));
    write('libs/x/src/z.ts', '');
    expect(digest()).not.toBe(added);
  });
});
