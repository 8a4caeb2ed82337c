/**
 * OpenSession on the wire: one program whose standard streams stay open both ways. The first message opens it, the end of what the
 * caller sends ends the program's input, and a caller that goes away ends the program.
 */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type {
  OpenSessionRequest,
  OpenSessionResponse,
  SandboxServiceService,
  SessionStart,
} from '@bravo/proto/sandbox';
import { callerWorkspace } from '../access/caller-workspace.ts';
import { checkJobRequest } from './check-job-request.ts';
import type { JobRequest } from './job.ts';
import type { JobInput } from './job-backend.port.ts';
import type { Jobs } from './jobs.ts';

type Event = NonNullable<OpenSessionResponse['event']>;

/** What waits for the caller to take it; beyond that the caller is too slow for the program, and it is ended. */
const MOST_WAITING_BYTES = 8 * 1024 * 1024;
const END_WAIT_MS = 60_000;

export const openSessionHandler = (
  jobs: Pick<Jobs, 'run' | 'read' | 'cancel'>,
): Pick<Handlers<typeof SandboxServiceService>, 'openSession'> => ({
  async *openSession(requests, { principal, signal }) {
    const messages = requests[Symbol.asyncIterator]();
    const request = requestOf(callerWorkspace(principal), await first(messages));
    const session = new Session(() => jobs.cancel(request));
    const goAway = (): void => session.abandon();
    signal.addEventListener('abort', goAway, { once: true });
    try {
      await jobs.run(request, session);
      if (signal.aborted) goAway();
      void session.feed(messages);
      void session.awaitEnd(jobs, request);
      yield {
        event: {
          $case: 'started',
          started: { limits: request.limits, notices: [...request.notices], replayed: false },
        },
      };
      for await (const event of session.events()) yield { event };
    } finally {
      signal.removeEventListener('abort', goAway);
      session.abandon();
    }
  },
});

const first = async (messages: AsyncIterator<OpenSessionRequest>): Promise<SessionStart> => {
  const { value } = (await messages.next()) as { value: OpenSessionRequest | undefined };
  if (value?.message?.$case === 'start') return value.message.start;
  throw new Fault('invalid_argument', 'The first message of a session says what to start.');
};

const requestOf = (workspaceId: string, start: SessionStart): JobRequest =>
  checkJobRequest({
    workspaceId,
    jobId: start.sessionId,
    conversationId: start.conversationId,
    plan: {
      steps: [{ argv: start.argv, program: start.program, env: start.env, redirects: [] }],
      connectors: [],
    },
    directory: start.directory,
    stdin: 'live',
    place: start.place,
    limits: start.limits ?? { timeoutSeconds: 0, memoryMb: 0, cpu: 0 },
    background: true,
  });

class Session {
  readonly #cancel: () => void;
  #input: JobInput | undefined;
  #waiting: Event[] = [];
  #waitingBytes = 0;
  #over = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(cancel: () => void) {
    this.#cancel = cancel;
  }

  onInput(input: JobInput): void {
    this.#input = input;
  }

  onOutput(stream: 'stdout' | 'stderr', chunk: Uint8Array): void {
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > MOST_WAITING_BYTES) return this.abandon();
    const bytes = Buffer.from(chunk);
    this.#push(stream === 'stdout' ? { $case: 'stdout', stdout: bytes } : { $case: 'stderr', stderr: bytes });
  }

  abandon(): void {
    if (!this.#over) this.#cancel();
  }

  async feed(messages: AsyncIterator<OpenSessionRequest>): Promise<void> {
    try {
      for (let next = await messages.next(); next.done !== true; next = await messages.next()) {
        const { message } = next.value;
        if (message?.$case === 'start') throw new Fault('invalid_argument', 'A session is started once.');
        if (message === undefined || (await this.#input?.write(message.stdin)) !== true) break;
      }
      this.#input?.end();
    } catch (error) {
      this.#failure ??= { error };
      this.abandon();
    }
  }

  async awaitEnd(jobs: Pick<Jobs, 'read'>, request: JobRequest): Promise<void> {
    try {
      for (;;) {
        const { result } = await jobs.read({
          ...request,
          ...{ since: { stdout: 0, stderr: 0 }, waitMs: END_WAIT_MS, untilEnd: true },
          signal: new AbortController().signal,
        });
        if (result === undefined) continue;
        const { outcome, steps, durationMs, changed, changesLost } = result;
        const step = steps[0] ?? { ran: false, exitCode: 0, signal: '', failure: '' };
        this.#push({ $case: 'ended', ended: { outcome, step, durationMs, changed: [...changed], changesLost } });
        break;
      }
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#over = true;
    this.#wake();
  }

  async *events(): AsyncGenerator<Event> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) {
        if (event.$case === 'stdout') this.#waitingBytes -= event.stdout.length;
        if (event.$case === 'stderr') this.#waitingBytes -= event.stderr.length;
        yield event;
      } else if (this.#over) {
        if (this.#failure !== undefined) throw this.#failure.error;
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }

  #push(event: Event): void {
    this.#waiting.push(event);
    this.#wake();
  }
}
