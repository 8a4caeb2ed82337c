/** What Bravo was told, in words for a person; facts come from the answer alone, and an estimate is never shown as a count. */
import type { ToldInstructions, ToldPart } from '../api/told-contract.ts';
import { formatBytes } from '../messages/format-amounts.ts';

const SOURCES: Readonly<Record<string, string>> = {
  platform: 'How it works',
  person: 'You, the workspace and the mode',
  'settings.platform': "The operator's standing instructions",
  'settings.workspace': "The workspace's standing instructions",
  'settings.user': 'Your standing instructions',
  'settings.conversation': 'Standing instructions for this conversation',
  'AGENTS.md': 'AGENTS.md among the files',
};

export const sourceName = (source: string): string => SOURCES[source] ?? source;

/** For example "1.2 KiB" or "not told: nobody vouched for it (12 bytes)". */
export const partState = ({ told, bytes, note }: ToldPart): string =>
  told ? formatBytes(bytes) : `not told: ${note || 'no reason was given'} (${formatBytes(bytes)})`;

export interface Fill {
  /** 0 to 100. */
  readonly percent: number;
  readonly sentence: string;
}

/** How full the last prompt was. */
export function fillOf({
  label,
  budget_tokens,
  last_tokens,
  last_measured,
  window_assumed,
  setting,
}: ToldInstructions['context']): Fill {
  const amount = (tokens: number): string => tokens.toLocaleString('en');
  const about = last_measured ? '' : 'about ';
  const used =
    last_tokens === 0 ? 'Nothing was asked yet' : `The last prompt was ${about}${amount(last_tokens)} tokens`;
  const assumed = window_assumed ? ` The window is assumed, because nobody stated it (${setting}).` : '';
  const percent = budget_tokens > 0 ? Math.min(100, Math.round((100 * last_tokens) / budget_tokens)) : 0;
  return { percent, sentence: `${used}; ${label} takes ${amount(budget_tokens)}.${assumed}` };
}
