/** Labels what came back and splits it into text for the planner and slots. Guarantees that bytes which are not trusted are in no text; names the content chose are treated like the content. */
import {
  type Label,
  labelResult,
  listCredentials,
  markAfterWrite,
  taint,
  type TrustMap,
  UNTRUSTED_PRIVATE,
} from '@bravo/policy';
import type { HoldCredentials } from '../credentials/hold-credentials.ts';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import { describeRef, type SlotStore } from '../slots/slot.ts';
import type { BoundEffect, EffectOutput, EffectResult } from '../tools/effect.ts';
import { countLines, toDisplayText } from '../tools/text.ts';
import type { FinishedCall, SlotToKeep } from './tool-call-ledger.ts';
import { MAX_REFUSAL_CHARS } from './tool-call.ts';
import { createHash } from 'node:crypto';

export type LabelOutput = (effect: BoundEffect, result: EffectResult & { durationMs: number }) => Promise<FinishedCall>;

export const createLabelOutput =
  (slots: Pick<SlotStore, 'reserve'>, catalogue: ToolCatalogue, hold: HoldCredentials): LabelOutput =>
  async (effect, result) => {
    const byRule = result.outputs.map((output) => ({ output, to: labelOne(effect, result, output) }));
    const shows = byRule.filter(({ to }) => to.kind === 'text' && !hasBeenSeen(effect)).map(({ output }) => output);
    const held = shows.length === 0 ? new Map<EffectOutput, never>() : await hold(effect, shows);
    // What nobody was asked about is kept as what nobody vouched for: whatever asks for it has to ask a person.
    const labelled = byRule.map((one) =>
      held.has(one.output) ? { ...one, to: { kind: 'slot', label: UNTRUSTED_PRIVATE } as const } : one,
    );
    const { maxResultChars = 0 } = catalogue.get(effect.call.tool)?.manifest.limits ?? {};
    let room = maxResultChars;
    // Of a program's output that the planner may read only its length is in the way: the rest is handed over page by page.
    const isTooLong = ({ output, to }: (typeof labelled)[number]): boolean =>
      to.kind === 'text' && effect.resultLabel.kind === 'program_output' && output.content.length > maxResultChars;
    const toKeep = labelled.filter((one) => one.to.kind === 'slot' || isTooLong(one)).length;
    const first = toKeep === 0 ? 0 : await slots.reserve(effect.who.conversationId, toKeep);
    const lines = [...result.summary];
    const kept: SlotToKeep[] = [];
    const shown: FinishedCall['shown'][number][] = [];
    const keep = (output: EffectOutput, label: Label): void => {
      const slot = {
        number: first + kept.length,
        origin: output.origin,
        name: output.name,
        kind: output.kind,
        lines: countLines(output.content),
        label,
        content: output.content,
        path: output.path ?? '',
        ...(output.destination === undefined ? {} : { destination: output.destination }),
      };
      kept.push(slot);
      lines.push(describeRef({ ...slot, bytes: slot.content.length }));
    };
    for (const one of labelled) {
      const { output, to } = one;
      if (to.kind === 'slot') {
        keep(output, to.label);
        continue;
      }
      const text = toDisplayText(output.content);
      const part =
        text.length <= room ? text : `${text.slice(0, room)}\n[cut here: ${text.length - room} more characters]`;
      room = Math.max(0, room - text.length);
      lines.push(
        output.name === '' || effect.call.tool === 'read_file'
          ? `${output.origin}:`
          : `${output.origin} (${output.name}):`,
        part,
      );
      if (isTooLong(one)) {
        lines.push('The whole of it, to be read on with read_output and an offset:');
        keep(output, to.label);
      }
      shown.push({
        label: to.label,
        released: to.released,
        bytes: output.content.length,
        digest: createHash('sha256').update(output.content).digest('hex'),
      });
    }
    const heldCredentials = [...held.values()].flat();
    if (heldCredentials.length > 0)
      lines.push(
        `Kept from you because it holds ${listCredentials(heldCredentials)}. A person can let it through: ask with ${effect.resultLabel.kind === 'program_output' ? 'read_output' : 'vet_content'}.`,
      );
    if (kept.some(({ label }) => label.integrity !== 'trusted'))
      lines.push('You cannot read what is behind a reference; the person sees it.');
    const text = lines.join('\n');
    return {
      status: result.status,
      text:
        result.status === 'completed' || text.length <= MAX_REFUSAL_CHARS
          ? text
          : `${text.slice(0, MAX_REFUSAL_CHARS - 1)}…`,
      // Of everything that came back: worst of all parts, or the receipt's own where there is nothing but broker's words.
      label: taint(labelled.map(({ to }) => to.label)),
      slots: kept,
      shown,
      held: heldCredentials,
      durationMs: result.durationMs,
      ...(result.errorCode === undefined ? {} : { errorCode: result.errorCode }),
      marks: marksOf(effect, result),
      ...(result.steps === undefined ? {} : { steps: result.steps }),
      ...(result.ran === undefined ? {} : { ran: result.ran }),
    };
  };

/** A person has read the very bytes, or wrote them. */
const hasBeenSeen = ({ resultLabel, approvalId }: BoundEffect): boolean =>
  approvalId !== undefined && (resultLabel.kind === 'released' || resultLabel.kind === 'answered');

const marksOf = ({ contentIntegrity }: BoundEffect, { written, status }: EffectResult): TrustMap =>
  written === undefined
    ? []
    : markAfterWrite([], written, contentIntegrity, status === 'completed' ? 'complete' : 'failed');

/** Whatever the trust of their path: a picture carries words nobody read, and an answer those of its inputs. */
const QUARANTINED: readonly EffectOutput['kind'][] = ['binary', 'picture', 'pdf', 'answer', 'remark'];

const labelOne = (effect: BoundEffect, result: EffectResult, output: EffectOutput) =>
  labelResult({
    rule: effect.resultLabel,
    paths: output.paths,
    inputs: effect.inputs,
    proven: result.proven === true,
    approved: effect.approvalId !== undefined || result.answeredBefore === true,
    trustOutput: effect.trustOutput || result.trustOutput === true,
    trustOutputOffered: effect.trustOutputOffered || result.trustOutput === true,
    alwaysQuarantined: QUARANTINED.includes(output.kind) && effect.resultLabel.kind !== 'released',
  });
