/** One conversation under load: makes a request, answers its question as planned, and waits until nothing of it is open. Every call may meet a process that is just gone, so every call is made again. */
import type { RestClient } from '../journeys/support/rest-client.ts';
import type { RequestKind, Step } from './schedule.ts';

const EVERY_MS = 250;
const SETTLE_MS = 90_000;

interface Question {
  readonly id: string;
  readonly status: string;
}

export interface SeenCall {
  readonly id: string;
  readonly tool: string;
  readonly status: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly approval: Question | null;
}

/** What became of a request. */
export interface Settled {
  readonly conversation: string;
  readonly kind: RequestKind;
  /** Statuses of the turns it took. */
  readonly turns: readonly string[];
  readonly calls: readonly SeenCall[];
  /** Set when it never came to rest. */
  readonly stuck: string | undefined;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Again until it succeeds: a refusal that a dead neighbour explains is no answer. */
export const persist = async <T>(what: string, attempt: () => Promise<T>, patienceMs = SETTLE_MS): Promise<T> => {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${what}: ${(error as Error).message}`);
      await pause(EVERY_MS);
    }
  }
};

const words = (kind: RequestKind, mark: string): string => {
  if (kind.startsWith('run')) return `run this python: import time; time.sleep(1); print('${mark}')`;
  if (kind.startsWith('write')) return `write a file ${mark}.txt with the text: ${mark}`;
  return 'list files';
};

/** A decided question that still waits for its effect, or an undecided one, is open. */
const OPEN_QUESTION = ['pending', 'approved', 'executing'];
const OPEN_TURN = ['streaming', 'queued', 'running'];

export class Talk {
  readonly client: RestClient;
  readonly conversation: string;
  said = 0;
  #step: Step | undefined;

  constructor(client: RestClient, conversation: string) {
    this.client = client;
    this.conversation = conversation;
  }

  calls(): Promise<SeenCall[]> {
    return persist(
      'the tool calls',
      async () =>
        ((await this.client.get(`/bravo/conversations/${this.conversation}/tool-calls`)) as { tool_calls: SeenCall[] })
          .tool_calls,
    );
  }

  messages(): Promise<{ role: string; turn_id: string; status: string; content: string }[]> {
    type Page = { messages: { role: string; turn_id: string; status: string; content: string }[] };
    return persist(
      'the messages',
      async () =>
        ((await this.client.get(`/bravo/conversations/${this.conversation}/messages?limit=200`)) as Page).messages,
    );
  }

  async #runningTurn(): Promise<string> {
    const detail = await persist(
      'the conversation',
      async () =>
        (await this.client.get(`/bravo/conversations/${this.conversation}`)) as {
          conversation: { running_turn_id: string };
        },
    );
    return detail.conversation.running_turn_id;
  }

  /** The request's step was reached or passed. */
  reached(step: Step, order: readonly Step[]): boolean {
    return this.#step !== undefined && order.indexOf(this.#step) >= order.indexOf(step);
  }

  async #post(content: string, key: string): Promise<void> {
    await persist('the message to be taken', async () => {
      const log = await this.client.say(this.conversation, content, { 'idempotency-key': key });
      log.close();
    });
  }

  async #answer(call: SeenCall, kind: RequestKind): Promise<void> {
    const approve = !kind.endsWith('denied');
    await persist('the answer to be taken', async () => {
      const reply = await this.client.answer(
        this.conversation,
        call.id,
        approve ? 'approve' : 'deny',
        kind === 'run, let read' ? { trust_output: true } : {},
      );
      // 409: an earlier attempt was taken and only its reply was lost.
      if (reply.status !== 200 && reply.status !== 409)
        throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
    });
  }

  async request(kind: RequestKind, mark: string, isExecuting: () => Promise<boolean>): Promise<Settled> {
    this.#step = undefined;
    this.said += 1;
    const before = new Set((await this.calls()).map(({ id }) => id));
    const turnsBefore = new Set((await this.messages()).map(({ turn_id }) => turn_id));
    await this.#post(words(kind, mark), mark);
    this.#step = 'posted';
    const answered = new Set<string>();
    const deadline = Date.now() + SETTLE_MS;
    let quiet = 0;
    for (;;) {
      const calls = (await this.calls()).filter(({ id }) => !before.has(id));
      for (const call of calls) {
        if (call.approval?.status !== 'pending' || answered.has(call.id)) continue;
        this.#step = 'asked';
        // A person takes a moment to decide, and a kill may fall into it.
        await pause(600);
        await this.#answer(call, kind);
        answered.add(call.id);
        this.#step = 'answered';
      }
      if (answered.size > 0 && (await isExecuting())) this.#step = 'executing';
      const messages = (await this.messages()).filter(({ turn_id }) => !turnsBefore.has(turn_id));
      const open =
        calls.some(
          ({ approval, status }) =>
            status === 'running' || (approval !== null && OPEN_QUESTION.includes(approval.status)),
        ) ||
        messages.some(({ status }) => OPEN_TURN.includes(status)) ||
        (await this.#runningTurn()) !== '';
      quiet = open ? 0 : quiet + 1;
      const result = (stuck?: string): Settled => ({
        conversation: this.conversation,
        kind,
        turns: messages.filter(({ role }) => role === 'assistant').map(({ status }) => status),
        calls,
        stuck,
      });
      // The answer to a question nobody holds any more becomes a turn a moment later.
      if (quiet >= 5) return result();
      if (Date.now() > deadline) {
        return result(
          `calls ${JSON.stringify(calls.map(({ id, status, approval }) => [id, status, approval?.status]))}, messages ${JSON.stringify(messages.map(({ role, status }) => [role, status]))}`,
        );
      }
      await pause(EVERY_MS);
    }
  }
}
