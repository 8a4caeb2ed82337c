/** What a spec finds around it where no jest runs it: `describe`, `it`, `it.each` and jest's own `expect`, and the packages of the copy it lies in. Guarantees that the library a spec reaches is the changed one, by whatever name. */
import { expect } from 'expect';
import { bind } from 'jest-each';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export interface DefinedTest {
  /** Its name with the names around it. */
  readonly id: string;
  readonly run: () => unknown;
}

type Block = () => void;

/** Puts the functions in place; each test is handed over as it is defined. */
export const defineGlobals = async (take: (test: DefinedTest) => unknown): Promise<void> => {
  const { chooseSeed } = (await import('../../jest.seed.mjs' as string)) as { chooseSeed(): number };
  chooseSeed();
  process.env['BRAVO_PROPERTY_RUNS'] ??= '20';
  const around: string[] = [];
  const ids = new Map<string, number>();
  const describe = (name: string, block: Block): void => {
    around.push(name);
    block();
    around.pop();
  };
  const it = (name: string, run: () => unknown): void => {
    const full = [...around, name].join(' ');
    const nth = (ids.get(full) ?? 0) + 1;
    ids.set(full, nth);
    take({ id: nth === 1 ? full : `${full} (${nth})`, run });
  };
  const each = (define: (name: string, run: () => unknown) => void) => bind(define as Parameters<typeof bind>[0]);
  Object.assign(globalThis, {
    describe: Object.assign(describe, { each: each(describe as never) }),
    it: Object.assign(it, { each: each(it) }),
    test: Object.assign(it, { each: each(it) }),
    expect,
  });
};

const PACKAGES: Readonly<Record<string, string>> = {
  '@bravo/policy': 'libs/policy/src',
  '@bravo/testing': 'libs/testing/src',
  '@bravo/tools': 'tools',
};

const GLOBALS = `data:text/javascript,${encodeURIComponent('export const { describe, it, test, expect } = globalThis;')}`;

/** Packages of this repository are taken from `root`: through node_modules a spec would reach the checkout's own library, which nobody changed. */
export const resolveInside = (root: string): void => {
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier === '@jest/globals') return { url: GLOBALS, shortCircuit: true };
      if (specifier === 'fast-check') return next(pathToFileURL(path.join(root, 'jest.fast-check.mjs')).href, context);
      const [scope, name, ...file] = specifier.split('/');
      const folder = PACKAGES[`${scope}/${name}`];
      if (folder === undefined) return next(specifier, context);
      const inside = file.length === 0 ? 'index' : file.join('/');
      return next(pathToFileURL(path.join(root, folder, `${inside}.ts`)).href, context);
    },
  });
};
