/** The file a bound edit is about and what it would be afterwards; what is shown to the person and what is written come from this one place. */
import { planEdit } from '@bravo/policy';
import { Fault } from '@bravo/faults';
import { type BoundEffect, type EffectTools, fileOf } from '../effect.ts';
import { isText, plural } from '../text.ts';

/** An edit is of text that a person can be shown. */
const MAX_EDITED_BYTES = 4 * 1024 * 1024;

export interface FileEdit {
  readonly landing: string;
  readonly revision: string;
  readonly before: string;
  readonly after: string;
  readonly replaced: number;
}

/** @throws Fault invalid_argument, not_found or conflict where the edit does not fit the file it is bound to. */
export const planFileEdit = async (
  { call, who }: Pick<BoundEffect, 'call' | 'who'>,
  { sandbox }: Pick<EffectTools, 'sandbox'>,
): Promise<FileEdit> => {
  const landing = fileOf(call.targets);
  const revision = call.revisions[landing];
  if (typeof revision !== 'string')
    throw new Fault('not_found', 'The file does not exist. Use list_files to see what is there, or write_file.');
  const { content, size, truncated, facts } = await sandbox.read(who, landing, MAX_EDITED_BYTES);
  if (facts.kind !== 'file') throw new Fault('invalid_argument', 'The path is not a file.');
  if (facts.revision !== revision)
    throw new Fault('conflict', 'The file changed meanwhile. Read it again and make the edit anew.');
  if (truncated)
    throw new Fault('invalid_argument', `The file has ${plural(size, 'byte')}, which is more than can be edited.`);
  if (!isText(content)) throw new Fault('invalid_argument', 'The file is not text, so it cannot be edited.');
  // The byte order mark is a byte of the file like any other.
  const before = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  const planned = planEdit(before, {
    oldText: call.arguments['old_text'] as string,
    newText: call.arguments['new_text'] as string,
    replaceAll: call.arguments['replace_all'] === true,
  });
  if (planned.kind === 'refused') throw new Fault('invalid_argument', planned.text);
  return { landing, revision, before, after: planned.after, replaced: planned.replaced };
};
