/** Fetches what images are made of through the ordinary clients of their registries; every file must have the digest that was locked. */
import { createHash } from 'node:crypto';
import { createReadStream, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { installPackages, isRoot } from '../stack/machine.ts';
import type { LockedPackage } from './debian-lock.ts';
import { shell } from './shell.ts';

export const sha256Of = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
};

/** Names of downloaded files spell ":" as "%3a". */
const fileOf = (directory: string, { name, version }: LockedPackage): string | undefined => {
  const prefix = `${name}_${version.replaceAll(':', '%3a')}_`;
  const found = readdirSync(directory).find((file) => file.startsWith(prefix) && file.endsWith('.deb'));
  return found === undefined ? undefined : path.join(directory, found);
};

/** Downloads the packages and resolves with their files in the same order. */
export const fetchDebianPackages = async (directory: string, packages: readonly LockedPackage[]): Promise<string[]> => {
  mkdirSync(directory, { recursive: true });
  // Under root apt downloads as a user of its own, who may not write here.
  const words = [
    '-o',
    'APT::Sandbox::User=root',
    'download',
    ...packages.map(({ name, version }) => `${name}=${version}`),
  ];
  await shell('apt-get', words, { cwd: directory }).catch(async (error: unknown) => {
    if (!isRoot()) throw error;
    await shell('apt-get', ['update']);
    await shell('apt-get', words, { cwd: directory });
  });
  const files: string[] = [];
  for (const each of packages) {
    const file = fileOf(directory, each);
    if (file === undefined) throw new Error(`apt-get did not download ${each.name} ${each.version}`);
    if ((await sha256Of(file)) !== each.sha256)
      throw new Error(`${each.name} ${each.version} is not the file that was locked`);
    files.push(file);
  }
  return files;
};

const PIP = [
  '-m',
  'pip',
  'install',
  '--quiet',
  '--no-deps',
  '--no-compile',
  '--no-warn-script-location',
  '--disable-pip-version-check',
];
const PLATFORM = [
  '--only-binary',
  ':all:',
  '--python-version',
  '3.11',
  '--implementation',
  'cp',
  '--abi',
  'cp311',
  '--abi',
  'none',
];
const WHEELS = ['manylinux_2_28_x86_64', 'manylinux_2_17_x86_64', 'manylinux2014_x86_64', 'any'].flatMap((name) => [
  '--platform',
  name,
]);

/** Installs the locked wheels into a directory of their own. */
export const fetchPythonModules = async (directory: string): Promise<void> => {
  const locked = ['--require-hashes', '-r', path.join(import.meta.dirname, 'python-requirements.txt')];
  const install = (python: string): Promise<string> =>
    shell(python, [...PIP, ...PLATFORM, ...WHEELS, ...locked, '--target', directory]);
  try {
    await install('python3').catch(() => install('/usr/bin/python3'));
  } catch (error) {
    // Debian's own Python comes without pip.
    if (!isRoot() || (await installPackages(['python3-pip'])) !== undefined) throw error;
    await install('/usr/bin/python3');
  }
  for (const name of ['bin', '__pycache__']) rmSync(path.join(directory, name), { recursive: true, force: true });
};

/** Installs the locked npm packages; resolves with the directory of modules. */
export const fetchNodeModules = async (directory: string): Promise<string> => {
  cpSync(path.join(import.meta.dirname, 'node'), directory, { recursive: true });
  await shell('npm', ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'], { cwd: directory });
  const modules = path.join(directory, 'node_modules');
  for (const name of ['.package-lock.json', '.bin']) rmSync(path.join(modules, name), { recursive: true, force: true });
  if (!existsSync(modules)) throw new Error('npm installed no modules');
  return modules;
};
