/** One request becomes one answer, by its verb; what is asked for is checked against its shape first. */
import { Fault } from '@bravo/faults';
import { TOOL_MESSAGES, type ToolAnswer, type ToolRequest, type ToolVerb } from '@bravo/workspace-files';
import { readContent, restoreEntry, takeInventory } from '../files/inventory.ts';
import { readGit } from '../git/read-git.ts';
import { searchFiles } from '../files/search-files.ts';
import type { Volume } from '../files/volume.ts';

export interface Answered {
  readonly head: unknown;
  readonly bytes?: Uint8Array;
}

type Answers = {
  [V in ToolVerb]: (
    volume: Volume,
    asked: ToolRequest<V>,
    bytes: Buffer,
  ) => Promise<{ head: ToolAnswer<V>; bytes?: Uint8Array }>;
};

const answers: Answers = {
  stat: async (volume, { path }) => ({ head: await volume.stat(path) }),
  read: async (volume, { path, maxBytes, offset }) => {
    const { content, ...head } = await volume.read(path, maxBytes, offset);
    return { head, bytes: content };
  },
  list: async (volume, { directory, depth, maxEntries, ...options }) => {
    const { landing, entries, truncated } = await volume.list(directory, depth, maxEntries, options);
    return { head: { landing, entries: [...entries], truncated } };
  },
  write: async (volume, { path, ...conditions }, bytes) => ({ head: await volume.write(path, bytes, conditions) }),
  remove: async (volume, { path, expectedRevision }) => ({ head: await volume.remove(path, expectedRevision) }),
  search: async (volume, asked) => ({ head: await searchFiles(volume, asked) }),
  git: async (volume, asked) => ({ head: await readGit(volume, asked) }),
  inventory: async ({ root }) => {
    const { entries, leftOut } = await takeInventory(root);
    return { head: { entries: [...entries], leftOut } };
  },
  content: async ({ root }, asked) => ({ head: {}, bytes: await readContent(root, asked) }),
  restore: async ({ root }, entry, bytes) => {
    await restoreEntry(root, entry, bytes);
    return { head: {} };
  },
};

const isVerb = (verb: string): verb is ToolVerb => Object.hasOwn(TOOL_MESSAGES, verb);

/** @throws Fault `invalid_argument` for an unknown verb or a head of another shape. */
export const answerTool = async (volume: Volume, verb: string, head: unknown, bytes: Buffer): Promise<Answered> => {
  if (!isVerb(verb)) throw new Fault('invalid_argument', 'The toolbox does not know what is asked.');
  const asked = TOOL_MESSAGES[verb].request.safeParse(head);
  if (!asked.success) throw new Fault('invalid_argument', `The request is not one of ${verb}.`);
  const answer = answers[verb] as (volume: Volume, asked: unknown, bytes: Buffer) => Promise<Answered>;
  return answer(volume, asked.data, bytes);
};
