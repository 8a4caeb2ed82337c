/** Hands over what a program printed: a page of what the agent may read already, or, after a person's yes, what they saw. */
import { Fault } from '@bravo/faults';
import type { Draw } from '../drawers.ts';
import { type Execute, failed } from '../effect.ts';
import { plural } from '../text.ts';
import { drawVetting, vetContent } from '../vet-content/vet-content.ts';

/** As long as one result of `run` at most. */
export const OUTPUT_PAGE_BYTES = 16_384;

export const readOutput: Execute = async (effect, tools, signal) => {
  const { call, who, approvalId } = effect;
  if (approvalId !== undefined) return vetContent(effect, tools, signal);
  const { content, number } = await tools.readSlot(who.conversationId, call.targets['ref'] as number);
  const offset = Number(call.arguments['offset'] ?? 0);
  if (offset >= content.length && content.length > 0)
    return failed(
      'invalid_argument',
      `The output has ${plural(content.length, 'byte')}; the offset is behind its end.`,
    );
  const end = wholeCharacters(content, Math.min(offset + OUTPUT_PAGE_BYTES, content.length));
  const next = end < content.length ? `, there is more: go on with offset ${end}` : ', to the end';
  return {
    status: 'completed',
    summary: [`Bytes ${offset} to ${end} of ${content.length}${next}.`],
    outputs: [
      { origin: `output of ref:${number}`, name: '', kind: 'text', content: content.subarray(offset, end), paths: [] },
    ],
  };
};

export const drawOutput: Draw = async (effect, tools) => {
  if (effect.call.arguments['offset'] !== undefined)
    throw new Fault('invalid_argument', 'An offset is for output that you may read already. Ask without it.');
  return drawVetting(effect, tools);
};

/** A page ends between two characters. */
const wholeCharacters = (content: Uint8Array, end: number): number => {
  let at = end;
  while (at > 0 && at < content.length && ((content[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
};
