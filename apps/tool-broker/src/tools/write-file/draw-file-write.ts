/** A write as a diff against the file it would replace, which the person may see whatever its trust. */
import { Fault } from '@bravo/faults';
import type { Draw } from '../drawers.ts';
import { fileOf } from '../effect.ts';
import { drawnContent, MAX_DRAWN_BYTES } from '../drawn-content.ts';

export const drawFileWrite: Draw = async ({ call, who }, { sandbox, readSlot }) => {
  const landing = fileOf(call.targets);
  const slot = call.targets['contents_ref'];
  const after =
    typeof slot === 'number'
      ? drawnContent((await readSlot(who.conversationId, slot)).content)
      : drawnContent(Buffer.from(call.arguments['contents'] as string));
  const revision = call.revisions[landing];
  if (typeof revision !== 'string') return { change: { place: landing, after } };
  const { content, size, truncated, facts } = await sandbox.read(who, landing, MAX_DRAWN_BYTES);
  if (facts.kind !== 'file') throw new Fault('invalid_argument', 'The path is not a file, so it cannot be written.');
  if (facts.revision !== revision)
    throw new Fault('conflict', 'The file changed while the question was drawn. Make the call again.');
  const before = truncated
    ? ({ kind: 'bytes', what: 'the file as it is, too long to be drawn', bytes: size, digest: '' } as const)
    : drawnContent(content);
  return { change: { place: landing, before, after } };
};
