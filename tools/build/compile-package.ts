/** Compiles one package's src to dist as `swc` would, in this process; specs and contract suites stay out. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transform, type Options } from '@swc/core';
import { filesUnder } from './input-digest.ts';

const notShipped = /\.(spec|contract)\.ts$|\.d\.ts$/;

const options = (root: string): Options => {
  const { exclude: _exclude, $schema: _schema, ...rest } = JSON.parse(
    readFileSync(path.join(root, '.swcrc'), 'utf8'),
  ) as Record<string, unknown>;
  return { ...rest, swcrc: false, configFile: false } as Options;
};

/** Data files beside the code are copied, so that a program finds them where its source does. */
export const compilePackage = async (root: string, directory: string): Promise<void> => {
  const source = path.join(root, directory, 'src');
  const target = path.join(root, directory, 'dist');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const shared = options(root);
  const compile = async (file: string): Promise<void> => {
    const out = path.join(target, path.relative(source, file));
    mkdirSync(path.dirname(out), { recursive: true });
    if (!file.endsWith('.ts')) return copyFileSync(file, out);
    const javascript = out.replace(/\.ts$/, '.js');
    const sourceFileName = path.relative(path.dirname(out), file);
    const { code, map } = await transform(readFileSync(file, 'utf8'), { ...shared, filename: file, sourceFileName });
    writeFileSync(javascript, `${code}\n//# sourceMappingURL=${path.basename(javascript)}.map\n`);
    if (map) writeFileSync(`${javascript}.map`, map);
  };
  await Promise.all(filesUnder(source).filter((file) => !notShipped.test(file)).map(compile));
};
