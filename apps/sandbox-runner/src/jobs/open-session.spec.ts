/** Sessions through a real runner over gRPC: bytes both ways, and every way they end. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { OpenSessionRequest, OpenSessionResponse } from '@bravo/proto/sandbox';
import { waitUntil } from '@bravo/testing';
import { describe, expect, it } from '@jest/globals';
import { obstacleHere } from '../executions/oci/obstacle.fixture.ts';
import { conversation, newId, runner, step, subject, useRunner } from './jobs.fixture.ts';

/** Whether the images under test have one with language servers. */
const hasLanguageServers = existsSync(
  path.join(process.env['BRAVO_TEST_SANDBOX_IMAGES'] ?? '', 'servers', 'opt', 'language-servers'),
);

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
          place: '',
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

  const withServers = hasLanguageServers ? it : it.skip;
  withServers(
    'of a language server has the image of those, sees the files and cannot change them [lsp.sandbox]',
    async () => {
      const script =
        'ls -d /opt/language-servers/node_modules/pyright; which typescript-language-server pyright-langserver; touch mine 2>&1; mkdir d 2>&1; ls -A';
      const message = opening('cat', { place: 'language_servers' });
      if (message.message?.$case !== 'start') throw new Error('no start');
      const start = { ...message.message.start, argv: ['bash', '-c', script], program: '/bin/bash' };
      async function* talk(): AsyncGenerator<OpenSessionRequest> {
        yield { message: { $case: 'start', start } };
      }
      const { text, ended } = await follow(
        runner.sandbox('broker').openSession(talk(), { subject, timeoutMs: 60_000 }),
      );
      expect(text.trim().split('\n')).toEqual([
        '/opt/language-servers/node_modules/pyright',
        '/usr/local/bin/typescript-language-server',
        '/usr/local/bin/pyright-langserver',
        expect.stringMatching(/touch: .*Read-only file system/),
        expect.stringMatching(/mkdir: .*Read-only file system/),
      ]);
      expect(ended).toMatchObject({ outcome: 'ok', changed: [] });
    },
    90_000,
  );

  it('refuses a place that is none', async () => {
    async function* talk(): AsyncGenerator<OpenSessionRequest> {
      yield opening('cat', { place: 'elsewhere' });
    }
    await expect(follow(runner.sandbox('broker').openSession(talk(), { subject }))).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('is refused where nothing says what to start', async () => {
    async function* talk(): AsyncGenerator<OpenSessionRequest> {
      yield bytes('x');
    }
    await expect(follow(runner.sandbox('broker').openSession(talk(), { subject }))).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });
});
