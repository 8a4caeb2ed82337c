/** What stands behind a reference, for a processor or a person: the bytes, or those of the file it names. */
import { Fault } from '@bravo/faults';
import type { IsolatedInput } from '../processors/isolated-models.ts';
import { isFileName, type Slot } from '../slots/slot.ts';
import type { BoundEffect, EffectTools } from './effect.ts';
import { mediaTypeOf } from './file-kinds.ts';
import { isText, toDisplayText } from './text.ts';

const MAX_OPENED_BYTES = 8 * 1024 * 1024;

/** A name stands for its file, which is opened for it; rules about the file hold. */
export const openReference = async (
  { who }: Pick<BoundEffect, 'who'>,
  { readSlot, sandbox, isReadDenied }: EffectTools,
  number: number,
): Promise<Slot> => {
  const slot = await readSlot(who.conversationId, number);
  if (!isFileName(slot)) return slot;
  const [denied] = await isReadDenied(who.conversationId, [slot.path]);
  if (denied !== false) throw new Fault('permission_denied', 'A permission rule denies reading the file it names.');
  const { content, truncated, facts } = await sandbox.read(who, slot.path, MAX_OPENED_BYTES);
  if (facts.kind !== 'file') throw new Fault('not_found', 'The file it names is not there any more.');
  if (truncated) throw new Fault('invalid_argument', 'The file it names is too large.');
  return { ...slot, kind: isText(content) ? 'text' : 'binary', content };
};

/** @throws Fault invalid_argument for bytes that are neither text nor a picture. */
export const toIsolatedInput = (name: string, slot: Slot): IsolatedInput => {
  const mediaType = slot.path === '' ? undefined : mediaTypeOf(slot.path);
  if (mediaType !== undefined) return { name, mediaType, bytes: slot.content };
  if (slot.kind === 'binary' || !isText(slot.content))
    throw new Fault('invalid_argument', 'What is behind the reference is neither text nor a picture.');
  return { name, text: toDisplayText(slot.content) };
};
