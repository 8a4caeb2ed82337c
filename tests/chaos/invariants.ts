/** What must hold whatever dies: checked through the public API alone, each broken one told in a sentence that names what broke it. */
import { eventually } from '../journeys/support/eventually.ts';
import { type RestClient, type SseEvent, TERMINAL } from '../journeys/support/rest-client.ts';
import { persist, type SeenCall, type Settled, type Talk } from './talk.ts';

export const INVARIANTS = [
  'no lost approval',
  'no effect twice',
  'one terminal event per turn',
  'no gap in the trail',
  'the log verifies',
  'no orphan',
] as const;
export type Invariant = (typeof INVARIANTS)[number];

export interface Broken {
  readonly invariant: Invariant;
  readonly what: string;
}

interface Entry {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const wholeTrail = async (client: RestClient, conversation: string): Promise<Entry[]> => {
  const entries: Entry[] = [];
  let cursor = '';
  do {
    const query = `/audit?conversation=${conversation}&order=asc&limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = await persist(
      'the trail',
      async () => (await client.get(query)) as { entries: Entry[]; next_cursor: string },
    );
    entries.push(...page.entries);
    cursor = page.next_cursor;
  } while (cursor !== '');
  return entries;
};

const count = (entries: readonly Entry[], type: string, field: string): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const key = entry.type === type ? entry.data[field] : undefined;
    if (typeof key === 'string' && key !== '') counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

const LAST_STATUSES = ['denied', 'expired', 'superseded', 'done', 'failed', 'outcome_unknown'];

/** Of every question the trail tells of: it is there, and it has come to an end. */
export const checkApprovals = (entries: readonly Entry[], calls: readonly Pick<SeenCall, 'approval'>[]): Broken[] => {
  const broken: Broken[] = [];
  const known = new Map(calls.map((call) => [call.approval?.id ?? '', call]));
  for (const id of count(entries, 'agent.tool.approval_requested', 'approval_id').keys()) {
    const call = known.get(id);
    if (call === undefined)
      broken.push({ invariant: 'no lost approval', what: `${id} was asked and is not to be found` });
    else if (!LAST_STATUSES.includes(call.approval?.status ?? ''))
      broken.push({ invariant: 'no lost approval', what: `${id} is still ${call.approval?.status ?? 'nothing'}` });
  }
  return broken;
};

/** Every question there is stands in the trail. */
export const checkTold = (
  conversation: string,
  entries: readonly Entry[],
  calls: readonly Pick<SeenCall, 'approval'>[],
): Broken[] => {
  const asked = calls.filter(({ approval }) => approval !== null).length;
  const recorded = count(entries, 'agent.tool.approval_requested', 'approval_id').size;
  return recorded >= asked
    ? []
    : [
        {
          invariant: 'no gap in the trail',
          what: `${conversation} has ${asked} questions and ${recorded} in its trail`,
        },
      ];
};

/** Of what the trail says was done. */
export const checkEffects = (entries: readonly Entry[]): Broken[] => {
  const twice = (type: string, field: string): Broken[] =>
    [...count(entries, type, field)]
      .filter(([, times]) => times > 1)
      .map(([id, times]) => ({ invariant: 'no effect twice', what: `${type} ${times} times for ${field} ${id}` }));
  const broken = [
    ...twice('agent.tool.executed', 'approval_id'),
    ...twice('agent.tool.executed', 'tool_call_id'),
    ...twice('agent.code.executed', 'tool_call_id'),
    // Every request carries words of its own, so the same code twice is one request that ran twice.
    ...twice('agent.code.executed', 'code_digest'),
  ];
  const denied = count(entries, 'agent.tool.denied', 'tool_call_id');
  for (const id of count(entries, 'agent.code.executed', 'tool_call_id').keys()) {
    if (denied.has(id)) broken.push({ invariant: 'no effect twice', what: `${id} was denied and ran` });
  }
  return broken;
};

/** Of a conversation's whole stream, once nothing is open any more. */
export const checkEndings = (
  conversation: string,
  events: readonly Pick<SseEvent, 'id' | 'event'>[],
  turns: number,
): Broken[] => {
  const ends = events.filter(({ event }) => TERMINAL.includes(event)).length;
  const broken: Broken[] = [];
  let open = 0;
  for (const { event, id } of events) {
    if (event === 'message_start') {
      if (open > 0)
        broken.push({ invariant: 'one terminal event per turn', what: `an answer began at ${id} while one was open` });
      open = 1;
    }
    if (TERMINAL.includes(event)) open = 0;
  }
  if (open > 0)
    broken.push({
      invariant: 'one terminal event per turn',
      what: `the last answer of ${conversation} never ended`,
    });
  if (ends !== turns)
    broken.push({
      invariant: 'one terminal event per turn',
      what: `${conversation} has ${turns} turns and ${ends} terminal events`,
    });
  return broken;
};

const terminals = async (talk: Talk): Promise<Broken[]> => {
  const log = await persist('the stream from its beginning', () =>
    talk.client.follow(talk.conversation, `${talk.conversation}:0`),
  );
  const turns = new Set(
    (await talk.messages()).filter(({ role }) => role === 'assistant').map(({ turn_id }) => turn_id),
  ).size;
  const starts = (events: readonly SseEvent[]): number =>
    events.filter(({ event }) => event === 'message_start').length;
  const ends = (): number => log.events.filter(({ event }) => TERMINAL.includes(event)).length;
  try {
    await eventually(
      'every turn to have ended',
      () => Promise.resolve(ends() >= turns && starts(log.events) <= ends()),
      15_000,
    ).catch(() => undefined);
    // One terminal event too many would come right after the last.
    await new Promise((resolve) => setTimeout(resolve, 300));
  } finally {
    log.close();
  }
  return checkEndings(talk.conversation, log.events, turns);
};

export const checkConversation = async (talk: Talk): Promise<Broken[]> => {
  const calls = await talk.calls();
  // The trail is behind by what the relay still has to send.
  const entries = await eventually('the trail to have every question', async () => {
    const found = await wholeTrail(talk.client, talk.conversation);
    return checkTold(talk.conversation, found, calls).length === 0 && found;
  }).catch(() => wholeTrail(talk.client, talk.conversation));
  return [
    ...checkTold(talk.conversation, entries, calls),
    ...checkApprovals(entries, await talk.calls()),
    ...checkEffects(entries),
    ...(await terminals(talk)),
  ];
};

export const checkSettled = (settled: readonly Settled[]): Broken[] =>
  settled.flatMap(({ conversation, kind, stuck }) =>
    stuck === undefined
      ? []
      : [{ invariant: 'no lost approval' as const, what: `"${kind}" in ${conversation} never came to rest: ${stuck}` }],
  );

/** What `audit/verify` answers. */
export interface Verified {
  readonly ok: boolean;
  readonly size: number;
  readonly checkpoint_size: number;
  readonly gaps: readonly string[];
  readonly problem: string;
}

/** Of a log's verification: it holds, nothing never came, and it is signed to its end. */
export const checkVerified = (workspace: string, verified: Verified | undefined): Broken[] => {
  if (verified === undefined) return [{ invariant: 'the log verifies', what: `${workspace}: nobody answered` }];
  const { ok, size, checkpoint_size, gaps, problem } = verified;
  const broken: Broken[] = [];
  if (gaps.length > 0) broken.push({ invariant: 'no gap in the trail', what: `${workspace}: ${gaps.join('; ')}` });
  if (!ok) broken.push({ invariant: 'the log verifies', what: `${workspace}: ${problem}` });
  else if (size !== checkpoint_size)
    broken.push({ invariant: 'the log verifies', what: `${workspace}: signed to ${checkpoint_size} of ${size}` });
  return broken;
};

export const checkLog = async (client: RestClient): Promise<Broken[]> => {
  let last: Verified | undefined;
  await eventually('the log to be whole and signed to its end', async () => {
    last = (await client.get('/audit/verify')) as Verified;
    return checkVerified(client.workspace, last).length === 0;
  }).catch(() => undefined);
  return checkVerified(client.workspace, last);
};
