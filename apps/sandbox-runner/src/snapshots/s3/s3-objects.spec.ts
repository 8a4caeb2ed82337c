/** The S3 adapter against a real S3 server in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeObjectStore } from '../object-store.contract.ts';
import type { ObjectStore } from '../object-store.port.ts';
import { openS3Objects, type S3Settings } from './s3-objects.ts';

const program = join(dirname(createRequire(import.meta.url).resolve('s3rver/package.json')), 'bin', 's3rver.js');
let server: ChildProcess;
let directory: string;
let settings: S3Settings;
let store: ObjectStore;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bravo-s3-'));
  const port = await freePort();
  const args = ['-d', directory, '-a', '127.0.0.1', '-p', String(port), '--configure-bucket', 'bravo', '--silent'];
  server = spawn(process.execPath, ['--no-deprecation', '--openssl-legacy-provider', program, ...args], {
    stdio: 'ignore',
  });
  // The server's listings are paged with a cipher that Node has only so. The server's own two words for whoever may use it.
  settings = {
    bucketUrl: `http://127.0.0.1:${port}/bravo`,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  };
  store = openS3Objects(settings);
  for (let tries = 0; ; tries += 1) {
    if (
      await store.get('none').then(
        () => true,
        () => false,
      )
    )
      break;
    if (tries > 200) throw new Error('the S3 server does not start');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}, 60_000);
afterAll(() => {
  server.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

describe('a bucket as an object store', () => {
  describeObjectStore(() => store);

  it('is never taken for empty when it refuses or is not there', async () => {
    const stranger = openS3Objects({ ...settings, accessKeyId: 'STRANGER' });
    await expect(stranger.get('a')).rejects.toThrow('403');
    const lost = openS3Objects({ ...settings, bucketUrl: settings.bucketUrl.replace(/bravo$/, 'none') });
    await expect(lost.get('a')).rejects.toThrow('does not exist');
    await expect(lost.put('a', Buffer.from('x'))).rejects.toThrow('does not exist');
    await expect(lost.list('a/')).rejects.toThrow('does not exist');
  });
});
