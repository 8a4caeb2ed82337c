/** Writes the lock of the images' Debian packages: the closure of what they ask for, as this machine's apt sees it now. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DebianLock, LockedPackage } from './debian-lock.ts';

interface Wanted {
  readonly base: string[];
  readonly python: string[];
  readonly node: string[];
  readonly unneeded: string[];
}

const here = import.meta.dirname;
const wanted = JSON.parse(readFileSync(path.join(here, 'debian-packages.json'), 'utf8')) as Wanted;

/** As on a machine that has nothing installed. */
const closure = (names: readonly string[]): string[] => {
  const options = ['-o', 'Dir::State::status=/dev/null', '--no-install-recommends', '--simulate', 'install', ...names];
  const said = execFileSync('apt-get', options, { encoding: 'utf8' });
  return [...said.matchAll(/^Inst (\S+)/gm)]
    .map((match) => match[1] ?? '')
    .filter((name) => !wanted.unneeded.includes(name));
};

const locked = (name: string): LockedPackage => {
  const said = execFileSync('apt-cache', ['show', '--no-all-versions', name], { encoding: 'utf8' });
  const field = (key: string): string => {
    const value = new RegExp(`^${key}: (.+)$`, 'm').exec(said)?.[1];
    if (value === undefined) throw new Error(`apt knows no ${key} of ${name}: run apt-get update.`);
    return value;
  };
  return { name, version: field('Version'), sha256: field('SHA256') };
};

const base = closure(wanted.base);
const beyond = (names: readonly string[]): LockedPackage[] =>
  closure([...wanted.base, ...names])
    .filter((name) => !base.includes(name))
    .map(locked);
const lock: DebianLock = {
  suite: 'bookworm',
  base: base.map(locked),
  python: beyond(wanted.python),
  node: beyond(wanted.node),
};
writeFileSync(path.join(here, 'debian-lock.json'), `${JSON.stringify(lock, null, 2)}\n`);
