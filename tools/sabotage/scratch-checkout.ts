/** A copy of the checkout that may be broken: sources, what was generated and what was built, with the installed packages borrowed. The original is only read. */
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface ScratchCheckout {
  readonly root: string;
  /** Changes one file; @returns what puts it back. */
  change(file: string, change: (text: string) => string): () => void;
  remove(): void;
}

const LEFT_OUT = new Set(['.git', '.bravo', '.nx', '.bravo-reports', '.bravo-screenshots', 'node_modules', 'coverage']);
/** Our own packages are links into the checkout, so the copy gets its own; the build's stamps are copied, so that nothing is built twice. */
const OWN = new Set(['@bravo', '.cache']);

const borrowPackages = (from: string, to: string): void => {
  mkdirSync(path.join(to, '@bravo'), { recursive: true });
  for (const name of readdirSync(from)) if (!OWN.has(name)) symlinkSync(path.join(from, name), path.join(to, name));
  for (const name of readdirSync(path.join(from, '@bravo'))) {
    const link = path.join(from, '@bravo', name);
    if (lstatSync(link).isSymbolicLink()) symlinkSync(readlinkSync(link), path.join(to, '@bravo', name));
  }
  const stamps = path.join(from, '.cache', 'bravo');
  if (existsSync(stamps)) cpSync(stamps, path.join(to, '.cache', 'bravo'), { recursive: true });
};

export const makeScratchCheckout = (original: string): ScratchCheckout => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'bravo-sabotage-')));
  // Pods run as users of their own and start from here.
  chmodSync(root, 0o755);
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  try {
    for (const name of readdirSync(original)) {
      if (!LEFT_OUT.has(name))
        cpSync(path.join(original, name), path.join(root, name), { recursive: true, verbatimSymlinks: true });
    }
    borrowPackages(realpathSync(path.join(original, 'node_modules')), path.join(root, 'node_modules'));
  } catch (error) {
    remove();
    throw error;
  }
  return {
    root,
    change: (file, change) => {
      const target = path.join(root, file);
      const text = readFileSync(target, 'utf8');
      const changed = change(text);
      // A new file in its place: whatever the old one is linked to stays as it is.
      const write = (content: string): void => {
        unlinkSync(target);
        writeFileSync(target, content);
      };
      write(changed);
      return () => write(text);
    },
    remove,
  };
};
