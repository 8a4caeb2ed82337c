/** What a seed means: which requests each round makes, who is killed, and at which step of whose request. Pure: same seed, same plan. */
import { createRandom, type Random } from './random.ts';

export const SERVICES = [
  'gateway',
  'identity',
  'agent-orchestrator',
  'model-gateway',
  'tool-broker',
  'sandbox-runner',
  'audit',
  'automation',
  'egress',
] as const;
export const SERVERS = ['postgres', 'nats'] as const;

/** `pod`: the agent pods of conversations; `runtime`: the OCI runtime of a running program; `execution`: the program itself. */
export type Target = (typeof SERVICES)[number] | (typeof SERVERS)[number] | 'pod' | 'runtime' | 'execution';

/** When the kill happens, told by what the victim's request has come to. */
export const STEPS = ['posted', 'asked', 'answered', 'executing'] as const;
export type Step = (typeof STEPS)[number];

export const REQUESTS = [
  'run, let read',
  'run, approved',
  'run, denied',
  'write, approved',
  'write, denied',
  'list',
] as const;
export type RequestKind = (typeof REQUESTS)[number];

export interface Round {
  readonly number: number;
  readonly target: Target;
  readonly step: Step;
  /** Further wait after the step, milliseconds. */
  readonly delayMs: number;
  /** Whose request the step is of. */
  readonly victim: number;
  /** One per conversation. */
  readonly requests: readonly RequestKind[];
}

const TARGETS: readonly Target[] = [...SERVICES, ...SERVERS, 'pod', 'runtime', 'execution'];

/** A step can only be reached by a request that has it. */
const REACHING: Readonly<Record<Step, readonly RequestKind[]>> = {
  posted: REQUESTS,
  asked: ['run, let read', 'run, approved', 'run, denied', 'write, approved', 'write, denied'],
  answered: ['run, let read', 'run, approved', 'run, denied', 'write, approved', 'write, denied'],
  executing: ['run, let read', 'run, approved'],
};

const plan = (random: Random, number: number, target: Target, conversations: number): Round => {
  const step = target === 'runtime' || target === 'execution' ? 'executing' : random.pick(STEPS);
  const victim = random.below(conversations);
  const requests = Array.from({ length: conversations }, (_, index) =>
    random.pick(index === victim ? REACHING[step] : REQUESTS),
  );
  // A program runs for about a second: a later blow would miss it.
  return { number, target, step, delayMs: random.below(step === 'executing' ? 200 : 700), victim, requests };
};

/** Every kind of process is hit before one is hit again. */
export const planRounds = (seed: number, kills: number, conversations: number): Round[] => {
  const random = createRandom(seed);
  const rounds: Round[] = [];
  let left: Target[] = [];
  while (rounds.length < kills) {
    if (left.length === 0) left = [...TARGETS];
    const [target] = left.splice(random.below(left.length), 1);
    if (target !== undefined) rounds.push(plan(random, rounds.length + 1, target, conversations));
  }
  return rounds;
};
