/** What the server says is read without trusting its shape, and what went wrong becomes a sentence. */
import { describe, expect, it } from '@jest/globals';
import { problemOf, problemText, ProblemError, toProblem } from './problem.ts';
import { readApproval, readConversationDetail, readSlot, readToolCall, readTrail } from './read-answers.ts';

describe('problems', () => {
  it('are the server’s sentence with its reference', () => {
    const problem = problemOf(429, {
      code: 'too_many_conversations',
      detail: 'Three run already.',
      reference: 'ref_1',
    });
    expect(problem).toMatchObject({ code: 'too_many_conversations', retryable: true });
    expect(problemText(problem)).toBe('Three run already. (reference ref_1)');
  });

  it('have a sentence for a body that says nothing, a lost connection and a broken answer', () => {
    expect(problemOf(404, '<html>').sentence).toBe('It is not there, or it is not yours.');
    expect(toProblem(new TypeError('Failed to fetch'))).toMatchObject({ code: 'unreachable', retryable: true });
    expect(toProblem(new SyntaxError('x')).sentence).toContain('Reload');
    expect(toProblem(new ProblemError(problemOf(409, {}))).status).toBe(409);
  });
});

describe('answers', () => {
  it('offer the second yes only when the server says so in so many words', () => {
    expect(readApproval({ trust_output_offered: true }).trust_output_offered).toBe(true);
    for (const value of [undefined, 1, 'true', null])
      expect(readApproval({ trust_output_offered: value }).trust_output_offered).toBe(false);
  });

  it('read input given as an object or as JSON text', () => {
    expect(readToolCall({ input_json: '{"path":"."}' }).input).toEqual({ path: '.' });
    expect(readToolCall({ input: { path: '.' } }).input).toEqual({ path: '.' });
    expect(readToolCall({ input_json: 'broken{' }).input).toBe('broken{');
  });

  it('read a conversation nested or flat', () => {
    expect(readConversationDetail({ conversation: { id: 'cnv_1' }, messages: [], stream_position: 7 })).toMatchObject({
      conversation: { id: 'cnv_1' },
      stream_position: '7',
    });
    expect(readConversationDetail({ id: 'cnv_1' })).toMatchObject({
      conversation: { id: 'cnv_1' },
      stream_position: '0',
    });
  });

  it('read the trail under either name', () => {
    expect(readTrail({ entries: [{ index: '4', data_json: '{"a":1}' }] })[0]).toMatchObject({
      index: 4,
      data: { a: 1 },
    });
    expect(readTrail({ items: [{ index: 4, data: { a: 1 } }] })[0]).toMatchObject({ index: 4, data: { a: 1 } });
  });

  it('read a slot raw, as text and as base64', async () => {
    const json = (body: unknown): Response =>
      new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
    expect((await readSlot(new Response('42\n', { headers: { 'content-type': 'text/plain' } }), 1)).text).toBe('42\n');
    expect((await readSlot(json({ slot: { lines: 1, bytes: 3 }, content: '42\n' }), 1)).text).toBe('42\n');
    expect((await readSlot(json({ number: 1, encoding: 'base64', content: 'NDIK' }), 1)).text).toBe('42\n');
  });
});
