/** Checkpoints as files in a directory, meant for another volume. It must never overwrite one: a size has one file, and a second note of it stands beside the first. */
import { createHash } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CheckpointSink } from './checkpoint-sink.port.ts';

/** Ids are ours, but a file name is no place to believe that. */
const PLAIN = /^[A-Za-z0-9_-]{1,128}$/;

/** `<directory>/<workspace>/<size, 15 digits>.<8 hex of the note>.note`, written through to the disk. */
export const createCheckpointDirectory = (directory: string): CheckpointSink => ({
  name: `directory:${directory}`.slice(0, 200),
  async publish({ workspaceId, size, note }) {
    if (!PLAIN.test(workspaceId)) throw new Error(`"${workspaceId}" cannot be the name of a folder`);
    const folder = path.join(directory, workspaceId);
    await mkdir(folder, { recursive: true });
    const digest = createHash('sha256').update(note).digest('hex').slice(0, 8);
    const file = path.join(folder, `${String(size).padStart(15, '0')}.${digest}.note`);
    try {
      const handle = await open(file, 'wx', 0o644);
      try {
        await handle.writeFile(note);
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      // Cut off while it was written the last time, perhaps.
      if ((await readFile(file, 'utf8')) !== note)
        throw new Error(`${file} is there and holds another text`, { cause: error });
    }
    return '';
  },
});
