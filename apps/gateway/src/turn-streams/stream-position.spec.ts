import { describe, expect, it } from '@jest/globals';
import { isGone, readPosition, tellablePosition } from './stream-position.ts';

const cid = 'cnv_01k00000000000000000000000';

describe('readPosition', () => {
  it.each([
    [{ lastEventId: `${cid}:7`, after: '3' }, { position: 7 }],
    [
      { lastEventId: `${cid}:7-mf3k2a1b`, after: '3' },
      { position: 7, generation: 'mf3k2a1b' },
    ],
    [{ lastEventId: undefined, after: `${cid}:0` }, { position: 0 }],
    [{ lastEventId: undefined, after: '12' }, { position: 12 }],
    [{ lastEventId: '', after: '' }, undefined],
    [{ lastEventId: undefined, after: undefined }, undefined],
  ])('reads %j as %p', (asked, place) => {
    expect(readPosition(cid, asked)).toEqual(place);
  });

  it.each(['cnv_x:1', ':1', `${cid}:`, `${cid}:1e3`, `${cid}:1-`, `${cid}:1-A`, `${cid}:1-a-b`, '1.5', '9'.repeat(40)])(
    'refuses %s',
    (after) => {
      expect(() => readPosition(cid, { lastEventId: undefined, after })).toThrow('invalid_argument');
    },
  );
});

describe('isGone', () => {
  it.each([
    ['nothing was ever published', 0, { first: 1, last: 0, ownLast: 0 }, false],
    ['everything is still there', 3, { first: 1, last: 9, ownLast: 8 }, false],
    ['the next one is the oldest kept', 3, { first: 4, last: 9, ownLast: 8 }, false],
    ['some after it went', 3, { first: 5, last: 9, ownLast: 8 }, true],
    ['the client has the newest of its conversation', 8, { first: 9, last: 20, ownLast: 8 }, false],
    ['nothing of the conversation is left', 3, { first: 5, last: 9, ownLast: 0 }, true],
    ['the buffer was lost and began anew', 30, { first: 1, last: 9, ownLast: 8 }, true],
    ['the buffer is empty and knows the position', 9, { first: 10, last: 9, ownLast: 0 }, false],
  ])('when %s', (_, position, bounds, gone) => {
    expect(isGone(position, bounds)).toBe(gone);
  });

  it('is never true of the position told with a fresh snapshot', () => {
    for (const [position, first, last] of [
      [0, 1, 0],
      [0, 500, 900],
      [450, 500, 900],
      [0, 901, 900],
    ] as const) {
      const ownLast = position >= first ? position : 0;
      expect(isGone(tellablePosition(position, first), { first, last, ownLast })).toBe(false);
    }
  });
});
