/** The state machine of one turn over frames, and how a raw frame is read. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type PodFrame, readPodFrame } from './pod-frame.ts';
import { BEGINNING, endAtClose, MAX_ANSWER_BYTES, step, type TurnProgress } from './turn-progress.ts';

const play = (...frames: PodFrame[]): { progress: TurnProgress; said: string } =>
  frames.reduce(
    ({ progress, said }, frame) => {
      const next = step(progress, frame);
      return { progress: next.progress, said: said + next.delta };
    },
    { progress: BEGINNING, said: '' },
  );
const chunk = (content: string): PodFrame => ({ type: 'chunk', content });
const done = (fullResponse = ''): PodFrame => ({ type: 'done', fullResponse, inputTokens: 1, outputTokens: 2 });
const error = (code: string): PodFrame => ({ type: 'error', code, message: 'why' });

describe('the progress of a turn', () => {
  it('keeps exactly what it streams', () => {
    const frames = fc.array(fc.oneof(fc.string().map(chunk), fc.constant<PodFrame>({ type: 'tool_call' })));
    fc.assert(
      fc.property(frames, (some) => {
        const { progress, said } = play(...some, done('the end'));
        expect(said).toBe(progress.text);
      }),
    );
  });

  it('is the same of a runtime that streams and of one that says everything at its end [pod.any-runtime]', () => {
    const streamed = play(chunk('all '), chunk('of it'), done('all of it'));
    const atTheEnd = play(done('all of it'));
    expect(atTheEnd.progress).toEqual(streamed.progress);
    expect([streamed.said, atTheEnd.said]).toEqual(['all of it', 'all of it']);
  });

  it('changes nothing after its end', () => {
    const ended = play(chunk('a'), done());
    expect(play(chunk('a'), done(), chunk('b'), error('AGENT_ERROR'), { type: 'aborted' })).toEqual(ended);
    expect(endAtClose(ended.progress)).toBe(ended.progress.end);
  });

  it.each([
    ['AUTH_ERROR', 'turn_failed'],
    ['AGENT_ERROR', 'turn_failed'],
    ['PROVIDER_ERROR', 'model_failed'],
    ['AGENT_INIT_FAILED', 'pod_unavailable'],
    ['SESSION_QUEUE_FULL', 'turn_failed'],
  ])('ends at %s as %s', (code, fault) => {
    expect(play(chunk('a'), error(code)).progress).toMatchObject({ text: 'a', end: { status: 'failed', code: fault } });
  });

  it('tells a sentence of the model gateway as it is, and says of other words what they are about', () => {
    const told = (message: string) => play({ type: 'error', code: 'PROVIDER_ERROR', message }).progress.end;
    expect(told('The model refused our key. Check KEY.')).toMatchObject({
      detail: 'The model refused our key. Check KEY.',
    });
    expect(told('error sending request')).toMatchObject({
      detail: 'The model gave no usable answer: error sending request',
    });
  });

  it('denies a question of the runtime itself and goes on [pod.any-runtime]', () => {
    const asked = step(BEGINNING, { type: 'approval_request', requestId: 'r1' } as PodFrame);
    expect(asked).toEqual({ progress: BEGINNING, delta: '', deny: 'r1' });
  });

  it.each(['STEERING_QUEUE_FULL', 'STEERING_CLOSED', 'INVALID_APPROVAL_RESPONSE'])('goes on at %s', (code) => {
    expect(play(error(code), chunk('a'), done()).progress).toMatchObject({ text: 'a', end: { status: 'completed' } });
  });

  it('is interrupted by a closed socket, cancelled by an abort', () => {
    expect(endAtClose(play(chunk('a')).progress)).toMatchObject({ status: 'interrupted', code: 'turn_interrupted' });
    expect(play({ type: 'aborted' }).progress.end).toMatchObject({ status: 'cancelled' });
  });

  it('cuts off an answer that grows without end', () => {
    expect(play(chunk('x'.repeat(MAX_ANSWER_BYTES)), chunk('y')).progress.end).toMatchObject({ code: 'turn_failed' });
  });
});

describe('a raw frame', () => {
  it('is read without trust in its shape', () => {
    fc.assert(
      fc.property(fc.json(), (raw) => {
        expect(() => readPodFrame(raw)).not.toThrow();
      }),
    );
    expect(readPodFrame('{')).toBeUndefined();
    expect(readPodFrame('{"type":"plan","entries":[]}')).toBeUndefined();
    expect(readPodFrame('{"type":"chunk","content":7}')).toEqual({ type: 'chunk', content: '' });
    expect(readPodFrame('{"type":"done","input_tokens":-1,"output_tokens":1e300}')).toEqual({
      type: 'done',
      fullResponse: '',
      inputTokens: 0,
      outputTokens: 2_000_000_000,
    });
  });
});
