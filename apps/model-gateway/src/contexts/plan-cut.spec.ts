/** Where a request is cut: never inside a round, never what was just asked, and only when it has to be. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ModelMessage } from '../providers/model-provider.port.ts';
import { piecesOf, protectedOf } from './pieces.ts';
import { planCut } from './plan-cut.ts';

const user = (content: string): ModelMessage => ({ role: 'user', content });
const answer = (content: string): ModelMessage => ({ role: 'assistant', content, toolCalls: [] });
const round = (id: string, result: string): ModelMessage[] => [
  { role: 'assistant', content: '', toolCalls: [{ id, name: 'read_file', arguments: '{}' }] },
  { role: 'tool', toolCallId: id, content: result },
];
const cutOf = (messages: readonly ModelMessage[], budget: number, fixed = 10) =>
  planCut({ pieces: piecesOf(messages), fixed, budget, summary: 20 });

const turn = fc
  .tuple(
    fc.string({ maxLength: 400 }),
    fc.array(fc.string({ maxLength: 2_000 }), { maxLength: 4 }),
    fc.string({ maxLength: 400 }),
  )
  .map(([asked, results, said]) => [
    user(asked),
    ...results.flatMap((result, n) => round(`c${n}`, result)),
    answer(said),
  ]);

describe('a cut', () => {
  it('is none as long as everything fits', () => {
    expect(cutOf([user('a'), answer('b'), user('c')], 1_000)).toEqual({ kind: 'fits' });
  });

  it('falls between rounds, keeps what was asked and the newest round, and goes no further than it must [context.no-cut-round]', () => {
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        fc.integer({ min: 40, max: 4_000 }),
        (turns, running, budget) => {
          const begun = running ? [user('now'), ...round('new', 'x'.repeat(300))] : [user('now')];
          const messages = [...turns.flat(), ...begun];
          const pieces = piecesOf(messages);
          const cut = cutOf(messages, budget);
          // Put together again nothing is lost, and a round is whole: every result is behind its call.
          expect(pieces.flatMap((piece) => piece.messages)).toEqual(messages);
          for (const piece of pieces) expect(piece.messages[0]?.role).not.toBe('tool');
          if (cut.kind !== 'cut') return;
          expect(cut.at).toBeGreaterThan(0);
          expect(cut.at).toBeLessThan(pieces.length);
          const kept = protectedOf(pieces);
          expect(kept.has(pieces.length - 1)).toBe(true);
          expect(kept.has(pieces.findLastIndex(({ kind }) => kind === 'said'))).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each([
    ['instructions', [user('hi')], 5_000],
    ['message', [user('x'.repeat(40_000))], 10],
    ['result', [user('look'), ...round('c', 'x'.repeat(40_000))], 10],
  ] as const)('of nothing helps where the %s alone are too large', (what, messages, fixed) => {
    expect(cutOf([...messages], 1_000, fixed)).toMatchObject({ kind: 'too_large', what });
  });
});
