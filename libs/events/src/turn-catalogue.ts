/**
 * Every event of a conversation's stream, declared once: what the page may rely on. A pod describes none of them.
 * An event that does not fit its shape is a programming error and is never published.
 */
import { z } from 'zod';

const id = z.string().min(1);
const milliseconds = z.int().min(0);
const reason = z.strictObject({ code: z.string(), text: z.string() });
const label = z.strictObject({
  integrity: z.enum(['trusted', 'untrusted']),
  confidentiality: z.enum(['public', 'private']),
});
const step = z.strictObject({
  argv: z.array(z.string()),
  program: z.string(),
  env: z.record(z.string(), z.string()),
  redirects: z.array(z.strictObject({ op: z.string(), path: z.string() })),
});
const plan = z.strictObject({
  steps: z.array(step),
  connectors: z.array(z.string()),
  reads: z.array(z.string()).optional(),
});
const stepEnd = z.strictObject({
  ran: z.boolean(),
  exit_code: z.int(),
  signal: z.string(),
  failure: z.string(),
});
const scope = z.record(z.string(), z.unknown());
const slotRef = z.strictObject({
  number: z.int().min(1),
  /** The broker's words. */
  origin: z.string(),
  /** Chosen by the content: for the person's eyes, never to be believed. */
  name: z.string(),
  kind: z.string(),
  lines: z.int().min(0),
  bytes: z.int().min(0),
  label,
});
const call = {
  id: id.describe('The tool call'),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()).describe('Every argument but `why`'),
  why: z.string().describe("The agent's own reason; empty when it gave none"),
  plan: plan.optional().describe('Of a command line: what it was compiled to, which is what would run'),
};

export const TURN_EVENTS = {
  status: z
    .strictObject({ state: z.enum(['queued', 'waking', 'running']) })
    .describe('What the turn waits for, or that it runs.'),
  message_start: z
    .strictObject({ id: id.describe('The message'), role: z.literal('assistant') })
    .describe('The answer begins; its text is told from the beginning.'),
  content_delta: z
    .strictObject({
      delta: z.string().min(1),
      offset: z
        .int()
        .min(0)
        .describe('UTF-16 units of the answer that came before: a stored beginning and the stream meet exactly'),
    })
    .describe('More of the answer.'),
  notice: z
    .strictObject({
      id,
      kind: z
        .enum(['context_compacted', 'history_left_out', 'asked_again', 'schedule_changed'])
        .describe(
          'Older messages are told to the model as a summary, or not at all (the record has them all); the platform asks a line of the person again; a loop, goal or watch began or ended',
        ),
      text: z.string().min(1).max(1_000).describe('One or two sentences for the person'),
    })
    .describe('Something about the turn the person should know. It is no part of the answer.'),
  tool_call_start: z.strictObject(call).describe('The agent made a call.'),
  needs_approval: z
    .strictObject({
      ...call,
      approval_id: id,
      asks: z.array(reason).describe('Why a person must decide'),
      expires_at: z.iso.datetime(),
      trust_output_offered: z.boolean().describe('Whether "approve and let @bravo read the output" may be chosen'),
      grant_scope: scope
        .nullable()
        .optional()
        .describe('What a grant given with the yes would cover; null where none is offered'),
      remember_rule: z
        .string()
        .optional()
        .describe('The rule that would let exactly this line through from now on; empty where none is offered'),
      delegate: z
        .strictObject({ name: z.string(), kind: z.string(), task: z.string(), conversation_id: id })
        .optional()
        .describe('In the stream of the conversation at the top: the delegate that asks, and where'),
    })
    .describe('The call waits for the person.'),
  approval_resolved: z
    .strictObject({
      id: id.describe('The tool call'),
      approval_id: id,
      decision: z.enum(['approved', 'denied', 'expired']),
      by: z.string().describe('The user; empty when time decided'),
      trust_output: z.boolean().optional().describe('Of an approval: the second kind of yes'),
      grant_id: id.optional().describe('The grant given with the yes'),
    })
    .describe('The question was answered, or its time is over.'),
  tool_call_end: z
    .strictObject({
      id: id.describe('The tool call'),
      status: z.enum(['completed', 'failed', 'denied', 'refused', 'expired', 'outcome_unknown']),
      output: z.string().describe('What the agent was given'),
      duration_ms: milliseconds,
      label,
      refs: z.array(slotRef).describe('Content the agent was not given'),
      steps: z.array(stepEnd).optional().describe('Of a command line: how each step of its plan ended'),
    })
    .describe('The call ended; nothing reopens it.'),
  step_up: z
    .strictObject({
      current_mode: z.string().min(1),
      required_mode: z.string().min(1),
      action: z.string().describe('The tool'),
      id: id.optional().describe('The tool call, for the answer'),
      grant_scope: scope
        .nullable()
        .optional()
        .describe('What a grant for exactly this call would cover; null where none could be given'),
    })
    .describe('The call was refused in this mode; the person may change the mode, or grant exactly this call.'),
  delegate: z
    .strictObject({
      conversation_id: id.describe('The conversation the delegate works in'),
      parent_conversation_id: id.describe('Whose delegate it is'),
      name: z.string().min(1).describe('d1, d1.2 and the like'),
      kind: z.string().min(1),
      task: z.string(),
      state: z.enum(['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled', 'interrupted']),
    })
    .describe("A delegate of this conversation's tree was opened, or its state is another."),
  message_end: z
    .strictObject({
      id: id.describe('The message'),
      usage: z
        .strictObject({ input_tokens: z.int().min(0), output_tokens: z.int().min(0) })
        .nullable()
        .describe('Null where a turn is told again from its record without one'),
    })
    .describe('The turn ended well. Exactly one `message_end` or `error` ends a turn.'),
  error: z
    .strictObject({ code: z.string().min(1), detail: z.string(), retryable: z.boolean() })
    .describe('The turn ended otherwise; what was said is kept.'),
  resync: z
    .strictObject({})
    .describe(
      'Sent by the gateway itself, without an id: the position is no longer held, so read the conversation anew.',
    ),
} as const;

export type TurnEventName = keyof typeof TURN_EVENTS;
export type TurnEventData<N extends TurnEventName> = z.output<(typeof TURN_EVENTS)[N]>;

/** `turn_id` is set on what the orchestrator publishes; an event that ends a turn always has it. */
export type TurnEvent<N extends TurnEventName = TurnEventName> = {
  [K in N]: { readonly event: K; readonly data: Readonly<TurnEventData<K>>; readonly turn_id?: string };
}[N];

/** An event nobody has held against the catalogue yet. */
export interface UncheckedTurnEvent {
  readonly event: TurnEventName;
  readonly data: object;
  readonly turn_id?: string;
}

/** @throws ZodError when the data is not exactly what the catalogue says. */
export const parseTurnEvent = ({ event, data, turn_id }: UncheckedTurnEvent): TurnEvent =>
  ({ event, data: TURN_EVENTS[event].parse(data), ...(turn_id === undefined ? {} : { turn_id }) }) as TurnEvent;
