/** Replaces the file the answer was given for, and only at the revision it was given for; the same tool call writes at most once. */
import { failed, fileOf, type Execute } from '../effect.ts';
import { plural } from '../text.ts';

export const writeFile: Execute = async ({ toolCallId, call, who }, { sandbox, readSlot }) => {
  const landing = fileOf(call.targets);
  const slot = call.targets['contents_ref'];
  const content =
    typeof slot === 'number'
      ? (await readSlot(who.conversationId, slot)).content
      : Buffer.from(call.arguments['contents'] as string);
  const revision = call.revisions[landing];
  const { created, facts } = await sandbox.write(
    who,
    landing,
    content,
    typeof revision === 'string' ? revision : 'absent',
    toolCallId,
  );
  if (!facts.exists) return failed('internal', 'The file was not written.');
  const summary = [
    `${created ? 'Created' : 'Replaced'} the file: ${plural(content.length, 'byte')}. Change token ${facts.revision}.`,
  ];
  return { status: 'completed', summary, outputs: [], written: landing };
};
