/** Lays out one image as a directory: unpacked packages without their scripts, nothing set-uid, every name and date the same each time. */
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { shell } from './shell.ts';

/** Every file's date: the packages' suite, not the day of the build. */
export const EPOCH = 1_780_000_000;

/** Merged, as Debian has them, before anything is unpacked. */
const LINKS: Readonly<Record<string, string>> = {
  bin: 'usr/bin',
  sbin: 'usr/sbin',
  lib: 'usr/lib',
  lib64: 'usr/lib64',
};
const DIRECTORIES = [
  'dev',
  'etc',
  'opt',
  'proc',
  'run',
  'usr/bin',
  'usr/lib',
  'usr/lib64',
  'usr/sbin',
  'usr/local/bin',
  'var/tmp',
  'workspace',
];

/** What packages would have made in scripts, which are not run. */
const PROVIDED: Readonly<Record<string, string>> = { 'usr/bin/awk': 'mawk', 'usr/bin/which': 'which.debianutils' };

const ETC: Readonly<Record<string, string>> = {
  passwd: 'root:x:0:0:root:/:/bin/false\nsandbox:x:1000:1000:sandbox:/tmp:/bin/bash\n',
  group: 'root:x:0:\nsandbox:x:1000:\n',
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
  hostname: 'sandbox\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
  'resolv.conf': '',
};

/** Not for programs: manuals, translations of messages, and what only an administrator runs. Copyright files stay. */
const LEFT_OUT = [
  'usr/share/man',
  'usr/share/info',
  'usr/share/locale',
  'usr/share/lintian',
  'usr/share/bug',
  'usr/share/doc-base',
  'usr/share/menu',
  'usr/share/pixmaps',
  'usr/share/applications',
  'etc/init.d',
  'etc/cron.daily',
  'etc/skel',
  'var/lib',
  'var/log',
  'var/cache',
];

export const unpack = async (tree: string, files: readonly string[]): Promise<void> => {
  for (const file of files) {
    const script = 'set -e; dpkg-deb --fsys-tarfile "$1" | tar -x -p --keep-directory-symlink -C "$2"';
    await shell('/bin/sh', ['-c', script, 'sh', file, tree]);
  }
};

export const layBase = async (tree: string, files: readonly string[]): Promise<void> => {
  for (const directory of DIRECTORIES) mkdirSync(path.join(tree, directory), { recursive: true, mode: 0o755 });
  mkdirSync(path.join(tree, 'tmp'));
  for (const [name, target] of Object.entries(LINKS)) symlinkSync(target, path.join(tree, name));
  await unpack(tree, files);
  for (const [name, target] of Object.entries(PROVIDED))
    if (!existsSync(path.join(tree, name))) symlinkSync(target, path.join(tree, name));
  for (const [name, text] of Object.entries(ETC)) writeFileSync(path.join(tree, 'etc', name), text);
};

/** A copy whose files are the same files; unpacking replaces a file and never writes into one. */
export const shareTree = (from: string, to: string): Promise<string> => shell('cp', ['-al', from, to]);

/** Python compiles what it imports and may not write here; compiled by source digest, so that no date is in it. */
export const compilePython = async (tree: string, directories: readonly string[]): Promise<void> => {
  const words = ['-m', 'compileall', '-q', '-f', '--invalidation-mode', 'unchecked-hash'];
  await Promise.all(
    directories.map((directory) =>
      shell('chroot', [tree, '/usr/bin/python3', ...words, directory], { env: { PYTHONHASHSEED: '0' } }),
    ),
  );
};

export const addNode = (tree: string, program: string, modules: string): void => {
  cpSync(program, path.join(tree, 'usr', 'local', 'bin', 'node'));
  chmodSync(path.join(tree, 'usr', 'local', 'bin', 'node'), 0o755);
  cpSync(modules, path.join(tree, 'node_modules'), { recursive: true });
};

/** Started by a name of their own, so that nothing of the files decides which copy answers. */
const LANGUAGE_SERVERS: Readonly<Record<string, string>> = {
  'typescript-language-server': 'typescript-language-server/lib/cli.mjs',
  'pyright-langserver': 'pyright/langserver.index.js',
};

/** @param node the tree of the node image, whose program they share. */
export const addLanguageServers = (
  tree: string,
  node: string,
  packages: readonly { readonly name: string; readonly directory: string }[],
): void => {
  const bin = path.join(tree, 'usr', 'local', 'bin');
  const modules = path.join(tree, 'opt', 'language-servers', 'node_modules');
  mkdirSync(modules, { recursive: true });
  linkSync(path.join(node, 'usr', 'local', 'bin', 'node'), path.join(bin, 'node'));
  for (const { name, directory } of packages)
    cpSync(directory, path.join(modules, name), { recursive: true, filter: (file) => !file.endsWith('.map') });
  for (const [name, script] of Object.entries(LANGUAGE_SERVERS)) {
    const text = `#!/bin/sh\nexec /usr/local/bin/node /opt/language-servers/node_modules/${script} "$@"\n`;
    writeFileSync(path.join(bin, name), text, { mode: 0o755 });
  }
};

/** Documentation goes, except for the licences. */
const pruneDocumentation = (tree: string): void => {
  const documents = path.join(tree, 'usr', 'share', 'doc');
  if (!existsSync(documents)) return;
  for (const entry of readdirSync(documents)) {
    const directory = path.join(documents, entry);
    if (!lstatSync(directory).isDirectory()) continue;
    for (const name of readdirSync(directory))
      if (name !== 'copyright') rmSync(path.join(directory, name), { recursive: true });
  }
};

export const finishTree = async (tree: string): Promise<void> => {
  for (const name of LEFT_OUT) rmSync(path.join(tree, name), { recursive: true, force: true });
  pruneDocumentation(tree);
  await shell('chown', ['-R', '-h', '0:0', tree]);
  await shell('chmod', ['-R', 'u=rwX,go=rX,a-s,a-t', tree]);
  chmodSync(path.join(tree, 'tmp'), 0o1777);
  await shell('find', [tree, '-exec', 'touch', '--no-dereference', '--date', `@${EPOCH}`, '{}', '+']);
};
