import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeObjectStore } from '../object-store.contract.ts';
import type { ObjectStore } from '../object-store.port.ts';
import { openDirectoryObjects } from './directory-objects.ts';

let directory: string;
let store: ObjectStore;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'bravo-objects-'));
  store = await openDirectoryObjects(directory);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('a directory as an object store', () => {
  describeObjectStore(() => store);

  it('leaves no directory of what was removed', async () => {
    await store.put('gone/a/b', Buffer.from('x'));
    await store.remove('gone/a/b');
    expect(readdirSync(join(directory, 'gone'))).toEqual([]);
  });
});
