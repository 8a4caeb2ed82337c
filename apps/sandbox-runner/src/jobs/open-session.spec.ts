/** Sessions through a real runner over gRPC: bytes both ways, and every way they end. */
import type { OpenSessionRequest, OpenSessionResponse } from '@bravo/proto/sandbox';
import { waitUntil } from '@bravo/testing';
import { describe, expect, it } from '@jest/globals';
import { obstacleHere } from '../executions/oci/obstacle.fixture.ts';
import { conversation, newId, runner, step, subject, useRunner } from './jobs.fixture.ts';

(obstacleHere() === '' ? describe : describe.skip)('a session', () => {
  useRunner();

  const opening = (line: string, more: object = {}): OpenSessionRequest => {
    const { argv, program } = step(line);
    return {
      message: {
        $case: 'start',
        start: {
          sessionId: newId('ses'),
          conversationId: conversation(),
          argv,
          program,
          env: {},
          directory: '',
          ...more,
        },
      },
    };
  };
  const bytes = (text: string): OpenSessionRequest => ({ message: { $case: 'stdin', stdin: Buffer.from(text) } });

  const follow = async (events: AsyncIterable<OpenSessionResponse>, on: (text: string) => void = () => undefined) => {
    let text = '';
    let ended: (OpenSessionResponse['event'] & { $case: 'ended' })['ended'] | undefined;
    for await (const { event } of events) {
      if (event?.$case === 'stdout') on((text += String(event.stdout)));
      if (event?.$case === 'ended') ended = event.ended;
    }
    return { text, ended };
  };

  it('carries bytes both ways while it lives, and ends with its input [sandbox.sessions]', async () => {
    let answered: () => void = () => undefined;
    const heard = new Promise<void>((resolve) => (answered = resolve));
    async function* talk(): AsyncGenerator<OpenSessionRequest> {
      yield opening('cat');
      yield bytes('first\n');
      await heard;
      yield bytes('second\n');
    }
    const { text, ended } = await follow(
      runner.sandbox('broker').openSession(talk(), { subject, timeoutMs: 60_000 }),
      (so) => so === 'first\n' && answered(),
    );
    expect(text).toBe('first\nsecond\n');
    expect(ended).toMatchObject({ outcome: 'ok', step: { exitCode: 0 }, changesLost: false });
  }, 90_000);

  it('ends when its caller goes away, and at its deadline [sandbox.sessions]', async () => {
    const first = opening('sleep 1000');
    const away = new AbortController();
    async function* silent(message: OpenSessionRequest): AsyncGenerator<OpenSessionRequest> {
      yield message;
      await new Promise(() => undefined);
    }
    const id = first.message?.$case === 'start' ? first.message.start.sessionId : '';
    const gone = (async () => {
      for await (const { event } of runner
        .sandbox('broker')
        .openSession(silent(first), { subject, signal: away.signal }))
        if (event?.$case === 'started') away.abort();
    })();
    await expect(gone).rejects.toBeDefined();
    await waitUntil('the program to have ended', async () => {
      const row = await runner.database.execution.findFirst({ where: { id, status: 'finished' } });
      return row !== null && (row.result as { outcome: string }).outcome === 'cancelled';
    });
    const short = opening('sleep 1000', { limits: { timeoutSeconds: 1, memoryMb: 0, cpu: 0 } });
    const { ended } = await follow(runner.sandbox('broker').openSession(silent(short), { subject, timeoutMs: 60_000 }));
    expect(ended).toMatchObject({ outcome: 'timed_out' });
  }, 90_000);

  it('is refused where nothing says what to start', async () => {
    async function* talk(): AsyncGenerator<OpenSessionRequest> {
      yield bytes('x');
    }
    await expect(follow(runner.sandbox('broker').openSession(talk(), { subject }))).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});
