/** Words for a grant: what it covers and how long it still holds; it must never make a grant sound narrower than it is. */
import { revealedText } from '@bravo/policy/previews/reveal-hidden';

/** How long a grant given on this page lives. */
export const GRANT_SECONDS = 900;

/** @param title the tool in words, as a card is headed. */
export function coverage(title: string, names: readonly string[]): string {
  const words = revealedText(title);
  if (names.length === 0) return `“${words}”, whenever it is called.`;
  return `“${words}” with exactly this ${names.map(revealedText).join(', ')}; whatever is not named here may differ.`;
}

/** @param left milliseconds. */
export function lifeLeft(left: number): string {
  if (left <= 0) return 'ended';
  const minutes = Math.ceil(left / 60_000);
  if (minutes < 2) return 'less than a minute';
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

const GIVEN: Record<string, string> = {
  person: 'given by you',
  approval: 'given with an approval',
  step_up: 'given for a refused call',
};

export function givenBy(source: string): string {
  return GIVEN[source] ?? 'given';
}
