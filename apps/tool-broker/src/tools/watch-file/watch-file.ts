/** Arms a watch on the file the call was bound to, with its change token as the first look. Nothing of the file is told, and a link is followed no further than when the call was judged. */
import { type Execute, failed, fileOf } from '../effect.ts';
import { plural } from '../text.ts';

export const watchFile: Execute = async ({ call, who, toolCallId }, { sandbox, schedules }) => {
  const landing = fileOf(call.targets);
  const facts = await sandbox.stat(who, landing);
  if (!facts.exists)
    return failed('not_found', 'There is no file at that path, so there is nothing to compare a later look with.');
  if (facts.kind !== 'file' || facts.landing !== landing)
    return failed('invalid_argument', 'The path is not a file. One file is watched at a time, and no directory.');
  const path = String(call.arguments['path']);
  const armed = await schedules.watch(who, toolCallId, { path, landing, token: facts.revision });
  if ('refused' in armed) return failed('conflict', armed.refused);
  const summary = [
    `The file is watched: the line of this turn is asked again when it changes. This conversation now holds ${plural(armed.live, 'watch', 'watches')}.`,
  ];
  return { status: 'completed', summary, outputs: [] };
};
