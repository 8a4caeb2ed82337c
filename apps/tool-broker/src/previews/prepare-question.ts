/** Draws a call before a person is asked about it. Guarantees that what is drawn is what the answer is bound to, and that nobody is asked about a call which cannot be carried out as it stands. */
import { isFault } from '@bravo/faults';
import { type Asked, type Preview, type PreviewRow, renderPreview } from '@bravo/policy';
import type { CredentialAnswers, HeldCredential } from '../credentials/hold-credentials.ts';
import type { Gathered } from '../tool-calls/gather-facts.ts';
import { effectFacts, judged } from '../tool-calls/record-decision.ts';
import type { ToolCallLedger } from '../tool-calls/tool-call-ledger.ts';
import { refusal, type ToolAnswer } from '../tool-calls/tool-call.ts';
import type { Draw } from '../tools/drawers.ts';
import type { EffectTools } from '../tools/effect.ts';

export type Prepared =
  { readonly kind: 'question'; readonly preview: Preview } | { readonly kind: 'refused'; readonly answer: ToolAnswer };

export type PrepareQuestion = (gathered: Gathered, decision: Asked, toolCallId: string) => Promise<Prepared>;

export interface PrepareSteps {
  readonly ledger: Pick<ToolCallLedger, 'preview' | 'refuse'>;
  readonly drawers: Readonly<Record<string, Draw>>;
  readonly tools: EffectTools;
  readonly credentials: Pick<CredentialAnswers, 'ask'>;
}

export const createPrepareQuestion =
  ({ ledger, drawers, tools, credentials }: PrepareSteps): PrepareQuestion =>
  async (gathered, decision, toolCallId) => {
    const { tool } = gathered.facts;
    if (tool.kind !== 'known') throw new Error('only a known tool is asked about');
    const call = judged(gathered, toolCallId);
    const effect = ledger.preview(call, effectFacts(gathered, decision));
    const draw = Object.hasOwn(drawers, tool.manifest.name) ? drawers[tool.manifest.name] : undefined;
    const { arguments: given, targets } = effect.call;
    try {
      const more = (await draw?.(effect, tools)) ?? {};
      const held = gathered.held ?? [];
      // INVARIANT: kept before the question is: a yes then covers what it was asked about and nothing that was found since.
      if (held.length > 0)
        await credentials.ask(
          effect.who.conversationId,
          toolCallId,
          held.map(({ value }) => value),
        );
      const notes = [...held.slice(0, MOST_NOTED).map(noteOf), ...(more.notes ?? [])];
      return {
        kind: 'question',
        preview: renderPreview({ manifest: tool.manifest, arguments: given, targets, ...more, notes }),
      };
    } catch (error) {
      if (!isFault(error) || !error.row.public) throw error;
      const answer = refusal(`Refused before anybody was asked: ${error.detail}`);
      const reasons = [{ code: 'call_does_not_fit', text: error.detail }];
      await ledger.refuse(call, { step: 'arguments', reasons, text: answer.text });
      return { kind: 'refused', answer };
    }
  };

const MOST_NOTED = 20;

const noteOf = ({ kind, place }: HeldCredential): PreviewRow => ({
  kind: 'value',
  name: 'holds',
  text: `${kind}, ${place}`,
});
