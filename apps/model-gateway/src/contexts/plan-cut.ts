/** Decides whether a request has to be made smaller and where its older stretch ends; pure, and it never cuts inside a piece. */
import { type Piece, protectedOf } from './pieces.ts';

export type Cut =
  | { readonly kind: 'fits' }
  /** Every piece before `at` that is not protected goes. */
  | { readonly kind: 'cut'; readonly at: number }
  /** Nothing that may go would make it fit; `what` is too large by itself. */
  | { readonly kind: 'too_large'; readonly what: 'instructions' | 'result' | 'message'; readonly tokens: number };

export interface CutWish {
  readonly pieces: readonly Piece[];
  /** Tokens of what stands before the conversation: instructions and tools. */
  readonly fixed: number;
  readonly budget: number;
  /** Tokens a summary may have. */
  readonly summary: number;
}

/** Cut deeper than needed, so that the next rounds of the same turn need no summary of their own. */
const GOAL = 0.6;

export function planCut({ pieces, fixed, budget, summary }: CutWish): Cut {
  const total = fixed + sum(pieces.map(({ tokens }) => tokens));
  if (total <= budget) return { kind: 'fits' };
  if (fixed > budget) return { kind: 'too_large', what: 'instructions', tokens: fixed };
  const kept = protectedOf(pieces);
  const least = fixed + sum(pieces.map(({ tokens }, index) => (kept.has(index) ? tokens : 0)));
  const last = pieces.length - 1;
  if (least > budget || kept.size === pieces.length) {
    const [largest] = [...kept]
      .map((index) => pieces[index])
      .filter((piece) => piece !== undefined)
      .sort((a, b) => b.tokens - a.tokens);
    return { kind: 'too_large', what: largest?.kind === 'round' ? 'result' : 'message', tokens: largest?.tokens ?? 0 };
  }
  let after = total + summary;
  for (let at = 0; at < last; at += 1) {
    if (!kept.has(at)) after -= pieces[at]?.tokens ?? 0;
    if (after <= budget * GOAL) return { kind: 'cut', at: at + 1 };
  }
  return { kind: 'cut', at: last };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
