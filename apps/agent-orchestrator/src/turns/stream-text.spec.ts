/** Text into the stream: in order, each word once, also when a publish fails; silent once it may not speak. */
import { describe, expect, it } from '@jest/globals';
import type { TurnEvent } from '@bravo/events';
import { createTextStream } from './stream-text.ts';

const place = { workspaceId: 'ws_1', conversationId: 'cnv_1' };
const stream = (fail: (call: number) => boolean = () => false) => {
  const stored = new Map<string, string>();
  const offsets: unknown[] = [];
  let calls = 0;
  return {
    stored,
    offsets,
    text: () => [...stored.values()].join(''),
    position: () => Promise.resolve(0n),
    hasEnd: () => Promise.resolve(false),
    publish: async (_: unknown, event: TurnEvent, id: string) => {
      calls += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (event.event !== 'content_delta') throw new TypeError(`${event.event} is no text`);
      if (!stored.has(id)) offsets.push(event.data.offset);
      if (!stored.has(id)) stored.set(id, event.data.delta);
      // Stored, and the answer lost: the worst way to fail.
      if (fail(calls)) throw new Error('no answer');
    },
  };
};

describe('the text of a turn', () => {
  it('arrives whole and in order, in fewer events than it had pieces', async () => {
    const to = stream((call) => call === 2);
    const text = createTextStream(to, place, 'trn_1', () => true);
    const words = Array.from({ length: 40 }, (_, i) => `${i} `);
    for (const word of words) text.push(word);
    expect(await text.flush(5_000)).toBe(true);
    expect(to.text()).toBe(words.join(''));
    expect(to.stored.size).toBeLessThan(10);
    let said = 0;
    for (const [at, part] of [...to.stored.values()].entries()) {
      expect(to.offsets[at]).toBe(said);
      said += part.length;
    }
  });

  it('is cut between characters', async () => {
    const to = stream();
    const text = createTextStream(to, place, 'trn_1', () => true);
    const long = `x${'🙂'.repeat(20_000)}`;
    text.push(long);
    await text.flush(5_000);
    expect(to.text()).toBe(long);
    for (const part of to.stored.values()) expect(part.isWellFormed()).toBe(true);
  });

  it('ends when it may not be published any more, and does not keep a flush waiting for ever', async () => {
    let may = true;
    const to = stream();
    const text = createTextStream(to, place, 'trn_1', () => may);
    text.push('a');
    may = false;
    text.push('b');
    await text.flush(1_000);
    expect(to.text()).toBe('a');
    const away = createTextStream(
      stream(() => true),
      place,
      'trn_1',
      () => true,
    );
    away.push('a');
    const before = Date.now();
    expect(await away.flush(100)).toBe(false);
    expect(Date.now() - before).toBeLessThan(1_000);
    away.stop();
  });
});
