/** Writes the edit the person saw: at the revision it was shown for, once. */
import { type EffectResult, type Execute, failed } from '../effect.ts';
import { plural } from '../text.ts';
import { planFileEdit } from './plan-file-edit.ts';

const UNKNOWN: EffectResult = {
  status: 'outcome_unknown',
  summary: ['Whether the edit was written is not known, and it is not made again by itself. Read the file to see.'],
  outputs: [],
  errorCode: 'outcome_unknown',
};

export const editFile: Execute = async (effect, tools) => {
  const { toolCallId, who } = effect;
  // Made again by whoever took the call over, the write answers with its first result and the file has changed by it.
  const edit = effect.recovered
    ? await planFileEdit(effect, tools).catch(() => undefined)
    : await planFileEdit(effect, tools);
  if (edit === undefined) return UNKNOWN;
  const { landing, after, revision, replaced } = edit;
  const { facts } = await tools.sandbox.write(who, landing, Buffer.from(after), revision, toolCallId);
  if (!facts.exists) return failed('internal', 'The file was not written.');
  return {
    status: 'completed',
    summary: [
      `Edited the file: ${plural(replaced, 'passage')} replaced, ${plural(Buffer.byteLength(after), 'byte')} now. Change token ${facts.revision}.`,
    ],
    outputs: [],
    written: landing,
  };
};
