/** What a case meets at the edge: only what a person or an agent can do on a running platform. Guarantees that no fact of a case is handed in; each is brought about. */
import type { z } from 'zod';
import type { Replay } from '../suite.ts';

/** `settings`: what writing settings over REST says of them. `explain`: the broker's decision. `mcp`: a tool called as an agent calls it. */
export const EDGE_LAYERS = ['settings', 'explain', 'mcp'] as const;
export type EdgeLayer = (typeof EDGE_LAYERS)[number];

export interface Explained {
  readonly effect: string;
  readonly step: string;
  /** The rule that decided, as written; empty where none did. */
  readonly rule: string;
  readonly reasons: readonly { readonly code: string }[];
  /** What a command line was compiled to; null of any other call. */
  readonly plan?: unknown;
}

export interface SettingsAnswer {
  /** False: the document was refused as a whole. */
  readonly stored: boolean;
  readonly warnings: readonly { readonly code: string; readonly key: string }[];
}

/** What was said of documents as they were written, weakest first, and what holds of all of them together. */
export interface InForce {
  readonly answers: readonly SettingsAnswer[];
  /** In the shape settings are written. */
  readonly effective: Readonly<Record<string, unknown>>;
}

export interface Called {
  readonly text: string;
  readonly isError: boolean;
  /** As the platform tells it to the person. */
  readonly label: { readonly integrity: string; readonly confidentiality: string };
}

/** One conversation with an agent's seat in it. */
export interface Talk {
  explain(tool: string, input: object): Promise<Explained>;
  /** Calls the tool as an agent; a question is answered as a person answers it, with yes where nothing is said. */
  call(tool: string, input: object, answer?: 'approve' | 'approve and show'): Promise<Called>;
}

/** One person whose own settings a case may replace; cases of one seat come one after another. */
export interface Seat {
  /** Whether the workspace's layer may be written from here: no other seat is in the workspace. */
  readonly ownsWorkspace: boolean;
  /** Replaces the person's settings for what begins after it; what is in force already is not written again. */
  putSettings(text: string): Promise<SettingsAnswer>;
  /** Writes settings only to hear what is said of them: nobody waits for them to be in force, and nothing may be judged by them. */
  tellSettings(text: string): Promise<SettingsAnswer>;
  /** Writes documents into layers of their own, weakest first, reads back what holds of them, and empties the layers. */
  inForce(documents: readonly string[]): Promise<InForce>;
  /** As in a conversation that begins now. */
  explain(tool: string, input: object): Promise<Explained>;
  begin(how?: { readonly unattended?: boolean }): Promise<Talk>;
  /** The same conversation each time, begun when it is first asked for, with nothing written in settings. */
  shared(): Promise<Talk>;
}

/** How one case is met in one layer, or in one sentence why it cannot be. */
export type Expression = ((seat: Seat) => Promise<Replay>) | string;
export type Expressions = Readonly<Record<EdgeLayer, Expression>>;

export interface EdgeSuite<Row extends z.ZodType<{ id: string }> = z.ZodType<{ id: string }>> {
  readonly name: string;
  express(row: z.output<Row>): Expressions;
  /** Whether the case can be met only where the workspace's layer may be written. */
  needsWorkspace?(row: z.output<Row>): boolean;
}

/** A conversation that no rule of another case reaches. */
export const beginWithoutRules = async (seat: Seat): Promise<Talk> => {
  await seat.putSettings('{}');
  return seat.begin();
};

/** Thrown where only the attempt shows that a case cannot be met on this machine; it is counted with its reason and has not passed. */
export class NotMet extends Error {}

/** The platform refused to look at the call: what it was given is at fault. */
export class Refused extends Error {
  /** As the problem says it. */
  readonly detail: string;

  constructor(sentence: string, detail: string) {
    super(sentence);
    this.detail = detail;
  }
}

export const nowhere = (why: string): Expressions => ({ settings: why, explain: why, mcp: why });
