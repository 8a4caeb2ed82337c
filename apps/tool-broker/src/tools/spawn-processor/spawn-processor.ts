/** Has an isolated model work on quarantined content. Its answer is quarantined with the taint of what went in, and may be written to the file it is about and to none other. */
import { Fault } from '@bravo/faults';
import { askForDocument, markerOf, splitAnswer } from '../../processors/split-answer.ts';
import { type EffectOutput, type Execute, failed } from '../effect.ts';
import { openReference, toIsolatedInput } from '../held-content.ts';

export const spawnProcessor: Execute = async (effect, tools, signal) => {
  const { call, who, toolCallId } = effect;
  const reads = call.targets['reads'] as readonly number[];
  const about = call.targets['about'] as number | undefined;
  if (about !== undefined && !reads.includes(about))
    return failed('invalid_argument', 'about has to be one of the references in reads.');
  const slots = await Promise.all(reads.map((number) => openReference(effect, tools, number)));
  const inputs = slots.map((slot) => toIsolatedInput(`ref:${slot.number}`, slot));
  const subject = slots.find(({ number }) => number === (about ?? (reads.length === 1 ? reads[0] : undefined)));
  const marker = markerOf(toolCallId);
  const reply = await tools.models.run(who, {
    instruction: askForDocument(String(call.arguments['instruction']), marker),
    inputs,
    signal,
  });
  const { remark, document } = splitAnswer(reply, marker);
  const outputs: EffectOutput[] = [];
  const summary: string[] = [];
  if (document === undefined)
    summary.push('The processor gave no document, only a remark, so there is nothing to write.');
  else {
    const path = subject?.path ?? '';
    outputs.push({
      ...{
        origin: `answer of a processor about ${subject === undefined ? 'no file' : `ref:${subject.number}`}`,
        name: '',
      },
      ...{ kind: 'answer', content: Buffer.from(document), paths: [] },
      ...(path === '' ? { destination: null } : { path, destination: path }),
    });
    summary.push(
      path === ''
        ? 'It is about no file, so it can be written nowhere.'
        : 'It can be written with write_file and contents_ref, to the file it is about.',
    );
  }
  if (remark !== '')
    outputs.push({
      ...{ origin: 'remark of the processor, for the person', name: '', destination: null },
      ...{ kind: 'remark', content: Buffer.from(remark), paths: [] },
    });
  if (outputs.length === 0) throw new Fault('model_failed', 'The processor answered nothing.');
  return { status: 'completed', summary, outputs };
};
