/** What the server says is read without trusting its shape, and what went wrong becomes a sentence. */
import { describe, expect, it } from '@jest/globals';
import { problemOf, problemText, ProblemError, toProblem } from './problem.ts';
import { readApproval, readSlot, readToolCall, readTrail } from './read-answers.ts';

describe('problems', () => {
  it('are the server’s sentence with its reference', () => {
    const problem = problemOf(429, {
      code: 'too_many_conversations',
      detail: 'Three run already.',
      reference: 'ref_1',
    });
    expect(problem).toMatchObject({ code: 'too_many_conversations', retryable: true });
    expect(problemText(problem)).toBe('Three run already. (reference ref_1)');
    const traced = problemOf(409, { detail: 'It was answered.', reference: 'ref_2', trace_id: 'ab12' });
    expect(problemText(traced)).toBe('It was answered. (reference ref_2, trace ab12)');
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

  it('read input that is no JSON as the text it is', () => {
    expect(readToolCall({ input: { path: '.' } }).input).toEqual({ path: '.' });
    expect(readToolCall({ input: 'broken{' }).input).toBe('broken{');
  });

  it('read an entry of the trail, and a list that is not there as an empty one', () => {
    expect(readTrail({ entries: [{ index: 4, data: { a: 1 } }] })[0]).toMatchObject({ index: 4, data: { a: 1 } });
    expect(readTrail({})).toEqual([]);
  });

  it('read a slot with the name its content chose', () => {
    const slot = { number: 1, origin: 'a file', name: 'a.txt', lines: 1, bytes: 3, kind: 'text' };
    expect(readSlot({ slot, text: '42\n', content_base64: 'NDIK' }, 1)).toEqual({ slot, text: '42\n' });
  });
});
