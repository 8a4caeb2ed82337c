/** Older messages join what is known, and nothing joins across a hole. */
import { describe, expect, it } from '@jest/globals';
import type { Message } from '../api/contract.ts';
import { addNewest, addOlder, NEWEST } from './known-messages.ts';

const stretch = (from: number, to: number): Message[] =>
  Array.from({ length: to - from + 1 }, (_, i) => ({
    id: `msg_${from + i}`,
    role: 'user',
    content: '',
    status: 'complete',
    created_at: '',
  }));
const ids = (messages: readonly Message[]): string[] => messages.map((m) => m.id);

describe('the messages the page has read', () => {
  it('end where a short conversation begins, and may go on before a long one', () => {
    expect(addNewest(undefined, stretch(1, 3))).toEqual({ messages: stretch(1, 3), cursor: '' });
    expect(addNewest(undefined, []).cursor).toBe('');
    expect(addNewest(undefined, stretch(1, NEWEST)).cursor).toBeUndefined();
  });

  it('grow to the front by pages, whatever of a page is here already', () => {
    const known = addNewest(undefined, stretch(61, 110));
    const same = addOlder(known, stretch(61, 110).toReversed(), 'c1');
    expect(same).toEqual({ messages: known.messages, cursor: 'c1' });
    const more = addOlder(same, stretch(11, 62).toReversed(), '');
    expect(ids(more.messages)).toEqual(ids(stretch(11, 110)));
    expect(more.cursor).toBe('');
  });

  it('keep what was loaded when the newest are read again, unless the two no longer touch', () => {
    const known = addOlder(addNewest(undefined, stretch(61, 110)), stretch(11, 60).toReversed(), 'c1');
    const again = addNewest(known, stretch(63, 112));
    expect(ids(again.messages)).toEqual(ids(stretch(11, 112)));
    expect(again.cursor).toBe('c1');
    expect(addNewest(known, stretch(200, 249))).toEqual({ messages: stretch(200, 249), cursor: undefined });
  });
});
