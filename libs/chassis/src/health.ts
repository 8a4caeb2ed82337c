/** What a process says of itself: alive at /healthz, ready at /readyz once every named dependency answered. */
import { Controller, Get, Inject, Res } from '@nestjs/common';

export const READINESS = Symbol('readiness');

/** Each check resolves when the dependency answers and rejects with the reason when not. */
export interface Readiness {
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
}

interface Reply {
  status(code: number): Reply;
  send(body: unknown): unknown;
}

const CHECK_TIMEOUT_MS = 2_000;

@Controller()
export class HealthController {
  readonly #readiness: Readiness;
  constructor(@Inject(READINESS) readiness: Readiness) {
    this.#readiness = readiness;
  }

  @Get('healthz')
  healthz(): { status: string } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async readyz(@Res() reply: Reply): Promise<void> {
    const entries = await Promise.all(
      Object.entries(this.#readiness.checks).map(async ([name, check]): Promise<[string, string]> => [
        name,
        await answer(check),
      ]),
    );
    const ready = entries.every(([, state]) => state === 'ok');
    reply.status(ready ? 200 : 503).send({ status: ready ? 'ok' : 'not ready', checks: Object.fromEntries(entries) });
  }
}

/** The reason is cut to its first line: a driver's error may name an address, which is fine, but never a page of it. */
const answer = async (check: () => Promise<unknown>): Promise<string> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), late]);
    return 'ok';
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? 'failed') : 'failed';
  } finally {
    clearTimeout(timer);
  }
};
