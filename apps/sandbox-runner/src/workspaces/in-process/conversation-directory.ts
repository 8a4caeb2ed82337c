/** The place of one conversation on disk: made whole or not at all, marked with its owner, and opened for its owner only. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@bravo/faults';
import type { WorkspaceKey } from '../workspace.port.ts';
import { errorCode } from './walk.ts';

/** Ids become names of directories, so they are letters, digits, '_' and '-' and nothing else. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

const OWNER = 'owner';
export const FILES = 'files';
/** Content on its way in; the same filesystem, so that the last step is one rename. */
export const STAGING = 'staging';
export const OPERATIONS = 'operations';

const checkKey = (key: WorkspaceKey): void => {
  if (!ID.test(key.workspaceId)) throw new Fault('permission_denied', 'The caller names no workspace.');
  if (!ID.test(key.conversationId)) throw new Fault('invalid_argument', 'The conversation id is not one.');
};

/** The directory when it exists and belongs to the key's workspace; undefined when nothing was written yet. */
export const findConversation = async (root: string, key: WorkspaceKey): Promise<string | undefined> => {
  checkKey(key);
  const directory = join(root, key.conversationId);
  let owner: string;
  try {
    owner = await readFile(join(directory, OWNER), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  if (owner !== key.workspaceId) throw new Fault('not_found', 'There is no such conversation.');
  return directory;
};

export const createConversation = async (root: string, key: WorkspaceKey): Promise<string> => {
  const known = await findConversation(root, key);
  if (known !== undefined) return known;
  const fresh = join(root, `.new-${randomBytes(9).toString('hex')}`);
  for (const name of ['', FILES, STAGING, OPERATIONS]) await mkdir(join(fresh, name), { recursive: true, mode: 0o700 });
  await writeFile(join(fresh, OWNER), key.workspaceId, { mode: 0o600 });
  try {
    await rename(fresh, join(root, key.conversationId));
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // Somebody else was first; whose it is decides below.
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  }
  const made = await findConversation(root, key);
  if (made === undefined) throw new Fault('unavailable', 'The conversation was erased at the same moment.');
  return made;
};

export const eraseConversation = async (root: string, key: WorkspaceKey): Promise<void> => {
  const directory = await findConversation(root, key);
  if (directory === undefined) return;
  // Gone at once under its name, so that a crash half-way leaves nothing readable.
  const erased = join(root, `.erased-${randomBytes(9).toString('hex')}`);
  await rename(directory, erased);
  await rm(erased, { recursive: true, force: true });
};

/** Finishes what a crash cut off. */
export const sweepConversations = async (root: string): Promise<void> => {
  for (const name of await readdir(root)) {
    if (name.startsWith('.erased-') || name.startsWith('.new-')) {
      await rm(join(root, name), { recursive: true, force: true });
    }
  }
};
