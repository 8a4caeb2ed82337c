/** The locked Debian packages of the images: exact versions with the digest of the file, nothing else is ever unpacked. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** Of the .deb file, hex. */
  readonly sha256: string;
}

export interface DebianLock {
  readonly suite: string;
  /** Every image. */
  readonly base: readonly LockedPackage[];
  readonly python: readonly LockedPackage[];
  readonly node: readonly LockedPackage[];
}

export const readDebianLock = (): DebianLock =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, 'debian-lock.json'), 'utf8')) as DebianLock;
