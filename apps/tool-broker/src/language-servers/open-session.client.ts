/** Sessions over gRPC, in the image of the language servers: no network, files that cannot be changed, limits of the sandbox. */
import { type GrpcClient, newId } from '@bravo/chassis';
import { isFault, toFault } from '@bravo/faults';
import type { OpenSessionRequest, SandboxServiceService } from '@bravo/proto/sandbox';
import type { OpenSession, SessionEnd } from './open-session.ts';

const CLOSING_MS = 3_000;
/** Kept for a moment before they are read; the sandbox ends a session whose caller does not take what it prints. */
const HOME = '/tmp';

export const createOpenSession =
  (sandbox: Pick<GrpcClient<typeof SandboxServiceService>, 'openSession'>): OpenSession =>
  (who, { argv }) => {
    const going = new AbortController();
    const waiting: (OpenSessionRequest | undefined)[] = [
      {
        message: {
          $case: 'start',
          start: {
            sessionId: newId('exe'),
            conversationId: who.conversationId,
            argv: [...argv],
            program: argv[0] ?? '',
            env: { HOME, XDG_CACHE_HOME: `${HOME}/cache` },
            directory: '',
            limits: undefined,
            place: 'language_servers',
          },
        },
      },
    ];
    let wake: () => void = () => undefined;
    const push = (message: OpenSessionRequest | undefined): void => {
      waiting.push(message);
      wake();
    };
    async function* requests(): AsyncGenerator<OpenSessionRequest> {
      for (;;) {
        while (waiting.length > 0) {
          const next = waiting.shift();
          if (next === undefined) return;
          yield next;
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
    let end: SessionEnd | undefined;
    let tellEnd: (end: SessionEnd) => void = () => undefined;
    const ended = new Promise<SessionEnd>((resolve) => (tellEnd = resolve));
    const subject = {
      userId: who.userId,
      workspaceId: who.workspaceId,
      role: who.role,
      permissions: who.permissions,
      agent: { conversationId: who.conversationId, podId: who.podId },
    };
    async function* output(): AsyncGenerator<Uint8Array> {
      try {
        for await (const { event } of sandbox.openSession(requests(), { subject, signal: going.signal })) {
          if (event?.$case === 'stdout') yield event.stdout;
          if (event?.$case === 'ended') {
            const { outcome, step } = event.ended;
            end = { outcome, exitCode: step?.exitCode ?? 0, failure: step?.failure ?? '', sentence: '' };
          }
        }
      } catch (error) {
        const fault = toFault(error);
        const sentence = isFault(error) && fault.row.public ? fault.detail : 'The sandbox could not be asked.';
        end ??= { outcome: going.signal.aborted ? 'cancelled' : 'refused', exitCode: 0, failure: '', sentence };
      } finally {
        push(undefined);
        tellEnd(end ?? { outcome: 'cancelled', exitCode: 0, failure: '', sentence: '' });
      }
    }
    return {
      output: output(),
      ended,
      send: (bytes) => push({ message: { $case: 'stdin', stdin: Buffer.from(bytes) } }),
      close: () => {
        push(undefined);
        setTimeout(() => going.abort(), CLOSING_MS).unref();
      },
    };
  };
