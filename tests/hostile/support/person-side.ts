/** What the person of a conversation does and sees while the program in the pod's place acts: the questions, the answers, the trail. */
import { eventually } from '../../journeys/support/eventually.ts';
import type { Reply, RestClient } from '../../journeys/support/rest-client.ts';
import type { PodSeat, ToolReply } from './pod-seat.ts';

export interface Question {
  readonly id: string;
  readonly tool_call_id: string;
  readonly status: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface TrailEntry {
  readonly type: string;
  readonly actor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const questionsOf = async (person: RestClient, conversation: string): Promise<Question[]> => {
  const { approvals } = (await person.get(`/bravo/conversations/${conversation}`)) as { approvals: Question[] };
  return approvals.filter(({ status }) => status === 'pending');
};

export const questionWhere = (person: RestClient, conversation: string, fits: (question: Question) => boolean): Promise<Question> =>
  eventually('the question', async () => (await questionsOf(person, conversation)).find(fits));

/** The pod calls, the person says yes to exactly that call. */
export const callWithYes = async (person: RestClient, seat: PodSeat, tool: string, args: Record<string, unknown>, body: Record<string, unknown> = {}): Promise<ToolReply> => {
  const held = seat.call(tool, args);
  const question = await questionWhere(person, seat.conversation, ({ tool: asked, input }) => asked === tool && Object.entries(input).every(([name, value]) => JSON.stringify(args[name]) === JSON.stringify(value)));
  const reply = await person.answer(seat.conversation, question.tool_call_id, 'approve', body);
  if (reply.status !== 200) throw new Error(`the yes was answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  return held;
};

export const denyAll = async (person: RestClient, conversation: string): Promise<Reply[]> =>
  Promise.all((await questionsOf(person, conversation)).map(({ tool_call_id }) => person.answer(conversation, tool_call_id, 'deny')));

/** The whole trail of a conversation, however long. */
export const wholeTrail = async (person: RestClient, conversation: string): Promise<TrailEntry[]> => {
  const entries: TrailEntry[] = [];
  let cursor = '';
  do {
    const page = (await person.get(`/audit?conversation=${conversation}&order=asc&limit=200${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)) as { entries: TrailEntry[]; next_cursor?: string | null };
    entries.push(...page.entries);
    cursor = page.next_cursor ?? '';
  } while (cursor !== '');
  return entries;
};

export const refusalsIn = (trail: readonly TrailEntry[]): number => trail.filter(({ type, data }) => type === 'agent.tool.decided' && data['effect'] === 'deny').length;

/** The trail comes after the answer; waits until it holds as many recorded refusals as were answered. */
export const recordedRefusals = async (person: RestClient, conversation: string, atLeast: number): Promise<number> => {
  let seen = 0;
  await eventually('the refusals in the trail', async () => {
    seen = refusalsIn(await wholeTrail(person, conversation));
    return seen >= atLeast;
  }, 20_000).catch(() => undefined);
  return seen;
};
