/** Looks for credentials in what a call would show to the agent. Guarantees that one nobody was asked about in this conversation is said, with its place, before a letter of it is shown. */
import type { CredentialFact } from '@bravo/policy';
import type { BoundEffect, EffectOutput } from '../tools/effect.ts';
import type { CredentialScanner, FoundCredential } from './credential.ts';
import { lineAt } from './given-credentials.ts';

export interface HeldCredential extends CredentialFact {
  readonly at: 'shown';
  /** Its own text, for its fingerprint: it must not be written down. */
  readonly value: string;
}

/** Which credentials a person let a conversation's agent see, as fingerprints that nobody without its key can make. */
export interface CredentialAnswers {
  /**
   * Of these, the ones no yes covers: neither an earlier one of the conversation nor, of an approved call, that call's own. What
   * the call's own covers is let through from now on.
   */
  unanswered(
    conversationId: string,
    approvedCallId: string | undefined,
    values: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Keeps that the person is asked about them with this call. @throws Fault conversation_ended */
  ask(conversationId: string, toolCallId: string, values: readonly string[]): Promise<void>;
}

/** @returns what has to be held, by the output it stands in. */
export type HoldCredentials = (
  effect: Pick<BoundEffect, 'who' | 'toolCallId' | 'approvalId'>,
  outputs: readonly EffectOutput[],
) => Promise<ReadonlyMap<EffectOutput, readonly HeldCredential[]>>;

export const createHoldCredentials =
  (scanner: CredentialScanner, answers: Pick<CredentialAnswers, 'unanswered'>): HoldCredentials =>
  async ({ who, toolCallId, approvalId }, outputs) => {
    const found = await findShown(scanner, outputs);
    const values = [...new Set([...found.values()].flat().map(({ value }) => value))];
    if (values.length === 0) return new Map();
    const approved = approvalId === undefined ? undefined : toolCallId;
    const open = await answers.unanswered(who.conversationId, approved, values);
    return new Map(
      [...found].flatMap(([output, held]) => {
        const left = held.filter(({ value }) => open.has(value));
        return left.length === 0 ? [] : [[output, left] as const];
      }),
    );
  };

/** Outputs that stand beside others are looked through at once: a listing may have thousands. */
const findShown = async (
  scanner: CredentialScanner,
  outputs: readonly EffectOutput[],
): Promise<ReadonlyMap<EffectOutput, readonly HeldCredential[]>> => {
  const found = new Map<EffectOutput, readonly HeldCredential[]>();
  const beside = outputs.filter(({ partOf }) => partOf === undefined);
  const texts = beside.map(({ content }) => decode(content));
  const all = await scanner.scan(texts.join('\n'));
  let from = 0;
  for (const [at, output] of beside.entries()) {
    const text = texts[at]!;
    keep(found, output, text, inside(all, from, from + text.length), -from, 'of what it shows');
    from += text.length + 1;
  }
  for (const output of outputs) {
    if (output.partOf === undefined) continue;
    const whole = decode(output.partOf.content);
    const start = decode(output.partOf.content.subarray(0, output.partOf.from)).length;
    const end = start + decode(output.content).length;
    keep(found, output, whole, inside(await scanner.scan(whole), start, end), 0, 'of the file');
  }
  return found;
};

const inside = (found: readonly FoundCredential[], start: number, end: number): readonly FoundCredential[] =>
  found.filter((one) => one.start < end && start < one.end);

const keep = (
  into: Map<EffectOutput, readonly HeldCredential[]>,
  output: EffectOutput,
  text: string,
  found: readonly FoundCredential[],
  shift: number,
  where: string,
): void => {
  if (found.length === 0) return;
  into.set(
    output,
    found.map(({ kind, certainty, start, end }) => ({
      at: 'shown',
      kind,
      place: `line ${lineAt(text, Math.max(0, start + shift))} ${where}`,
      declared: certainty === 'declared',
      value: text.slice(Math.max(0, start + shift), end + shift),
    })),
  );
};

const decode = (content: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
