/**
 * Decides, from the messages alone, what the demo planner says and which one tool it calls next.
 *
 * It keeps no memory: the same messages and tools always give the same answer. It never calls a tool that is not
 * offered, never goes on after a refusal or a wait, and never repeats an approved call in any other words.
 */
import { isDeepStrictEqual } from 'node:util';
import type { ModelMessage, ModelTool } from '../model-provider.port.ts';
import { buildCall, findTool, plainName } from './build-call.ts';
import type { BuiltCall } from './build-call.ts';
import { MAX_REQUESTS, parseRequests } from './parse-requests.ts';
import { readReport } from './parse-delegate.ts';
import { isPlatformMessage, readDecision } from './read-decision.ts';
import type { Decision } from './read-decision.ts';
import { readOutcome } from './read-outcome.ts';
import { readTurn } from './read-turn.ts';
import type { Turn } from './read-turn.ts';
import { isCallRequest } from './request.ts';
import type { DemoRequest } from './request.ts';
import {
  MARK,
  nameOf,
  sayBefore,
  sayHelp,
  sayLeft,
  sayNotOffered,
  sayOutcome,
  sayReport,
  sayUnknown,
  subjectOf,
} from './say.ts';

export interface Plan {
  readonly text: string;
  /** Absent: the turn ends with the text. */
  readonly call?: BuiltCall;
}

/** One step of a turn: a call with what is said around it, or only words. */
type Step = { readonly request: DemoRequest; readonly words: string } | (CallStep & { readonly request?: DemoRequest });
interface CallStep {
  readonly before: string;
  readonly subject: string;
  readonly call: BuiltCall;
}

export function planAnswer(messages: readonly ModelMessage[], tools: readonly ModelTool[]): Plan {
  const turn = readTurn(messages);
  const plan = walk(stepsOf(turn, tools), turn);
  return turn.done.length === 0 ? { ...plan, text: `${MARK} ${plan.text}`.trimEnd() } : plan;
}

/** Says what is new since the last result and makes the next call. */
function walk(steps: readonly Step[], turn: Turn): Plan {
  let said: string[] = [];
  let calls = 0;
  for (const [index, step] of steps.entries()) {
    if (!('call' in step)) {
      said.push(step.words);
      continue;
    }
    const done = turn.done[calls];
    calls += 1;
    if (!done) {
      said.push(step.before);
      return { text: said.join('\n\n'), call: step.call };
    }
    if (plainName(done.call.name) !== plainName(step.call.name)) {
      return { text: 'The calls of this turn are not the ones I would have made, so I stop. Please ask again.' };
    }
    const outcome = readOutcome(done.result);
    // Everything before this result was said when its call was made.
    said = [sayOutcome(step.subject, outcome)];
    const left = steps.slice(index + 1).flatMap(({ request }) => (request ? [request] : []));
    if (outcome.kind === 'refused') return { text: said.join('\n\n') + sayLeft(left) };
    if (outcome.kind === 'waiting') {
      return { text: said[0] + (left.length === 0 ? '' : `\n\nAfter that: ${left.map(nameOf).join('; ')}.`) };
    }
  }
  return { text: said.join('\n\n') };
}

function stepsOf(turn: Turn, tools: readonly ModelTool[]): Step[] {
  const [opening = '', ...steering] = turn.asked;
  const decision = readDecision(opening);
  const first = decision ? stepsOfDecision(decision, turn, tools) : stepsOfMessage(opening, tools);
  return [...first, ...steering.flatMap((message) => stepsOfMessage(message, tools))];
}

function stepsOfMessage(message: string, tools: readonly ModelTool[]): Step[] {
  if (isPlatformMessage(message)) {
    const report = readReport(message);
    if (report) return [{ request: { kind: 'empty' }, words: sayReport(report) }];
    return [
      { request: { kind: 'empty' }, words: 'I have read what the platform says; there is nothing for me to do.' },
    ];
  }
  const requests = parseRequests(message);
  if (requests.length > MAX_REQUESTS) {
    return [
      {
        request: { kind: 'empty' },
        words: `These are more than ${MAX_REQUESTS} requests in one message; I did none of them. Please send fewer.`,
      },
    ];
  }
  return requests.map((request) => toStep(request, tools));
}

function toStep(request: DemoRequest, tools: readonly ModelTool[]): Step {
  if (isCallRequest(request)) {
    const call = buildCall(request, tools);
    if (call) return { request, call, before: sayBefore(request), subject: subjectOf(request) };
    return { request, words: sayNotOffered(request, tools) };
  }
  switch (request.kind) {
    case 'help':
      return { request, words: sayHelp(tools) };
    case 'greeting':
      return {
        request,
        words: 'Hello. I am a fixed planner, not a language model; say "help" to see what I understand.',
      };
    case 'thanks':
      return { request, words: 'You are welcome.' };
    case 'empty':
      return { request, words: 'The message is empty; say "help" to see what I understand.' };
    case 'unknown':
      return { request, words: sayUnknown(request.text, request.hint) };
  }
}

/** The decided call again, to the letter, and then whatever the person had asked for after it. */
function stepsOfDecision(decision: Decision, turn: Turn, tools: readonly ModelTool[]): Step[] {
  const empty: DemoRequest = { kind: 'empty' };
  const name = plainName(decision.tool);
  if (!decision.approved) {
    return [
      {
        request: empty,
        words: `You said no to ${name} (${decision.approval}), so it was not done. Nothing else that waited on it is done either.`,
      },
    ];
  }
  const tool = findTool(tools, decision.tool);
  if (!tool)
    return [
      {
        request: empty,
        words: `You approved ${name} (${decision.approval}), but it is not offered to me any more, so it was not done.`,
      },
    ];
  const { call, left } = findDecided(decision, turn, tools);
  const args = decision.arguments ?? call?.arguments;
  if (!args) {
    return [
      {
        request: empty,
        words: `You approved ${name} (${decision.approval}), but I no longer know with what it was to be called, so it was not done. Please ask for it again.`,
      },
    ];
  }
  const again: Step = {
    before: `You approved ${name} (${decision.approval}). I make the same call again.`,
    subject: `The approved call of ${name}`,
    call: { name: tool.name, arguments: args },
  };
  return [again, ...(decision.alone ? [] : left).map((request) => toStep(request, tools))];
}

/** The decided call in the person's last message, and the requests after it; nothing when that is not certain. */
function findDecided(
  decision: Decision,
  turn: Turn,
  tools: readonly ModelTool[],
): { call?: BuiltCall; left: readonly DemoRequest[] } {
  const message = turn.earlier.findLast((text) => !isPlatformMessage(text));
  const requests = message === undefined ? [] : parseRequests(message);
  const same = requests.flatMap((request, index) => {
    const call = isCallRequest(request) ? buildCall(request, tools) : undefined;
    if (!call || plainName(call.name) !== plainName(decision.tool)) return [];
    return decision.arguments === undefined || isSameCall(call.arguments, decision.arguments) ? [{ call, index }] : [];
  });
  const [only, second] = same;
  // Asked for twice: which of the two was decided cannot be known, and doing one twice is worse than asking again.
  if (!only || second || requests.length > MAX_REQUESTS) return { left: [] };
  return { call: only.call, left: requests.slice(only.index + 1) };
}

/** `why` is no part of what was decided. */
function isSameCall(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  const { why: _a, ...left } = a;
  const { why: _b, ...right } = b;
  return isDeepStrictEqual(left, right);
}
