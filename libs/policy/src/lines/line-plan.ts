/** What a command line becomes: a plan a person can read, or a named refusal. Guarantees that a plan says everything that would happen; it must never hold text that something else would parse. */
import type { CandidateStep, RedirectOperator } from '../rules/candidate.ts';

export interface Redirect {
  readonly op: RedirectOperator;
  /** Absent for `2>&1` only, which names no file. */
  readonly path?: string;
}

export interface Step extends CandidateStep {
  /** The program, then its arguments. Final: nothing splits them again. */
  readonly argv: readonly string[];
  /** Assignments in front of the program; of two for one name the later holds. */
  readonly env: Readonly<Record<string, string>>;
  /** In the order they were written. */
  readonly redirects: readonly Redirect[];
}

/** `&&` and `||` bind alike, from left to right, tighter than `;` and looser than `|`. */
export type Connector = '|' | '&&' | '||' | ';';

export interface LinePlan {
  readonly steps: readonly Step[];
  /** `connectors[n]` stands between `steps[n]` and `steps[n + 1]`. */
  readonly connectors: readonly Connector[];
}

/** Why a line is no plan, as a sentence a planner can act on. The codes are stable. */
export const LINE_REFUSALS = {
  Syntax: 'The line has no readable shape.',
  CommandSubstitution: 'A command whose text is computed cannot be shown beforehand; write the value out.',
  ProcessSubstitution: 'A process in the place of a file has no name to show; use a pipe or a file.',
  Variable: 'The value of a variable is not in the line; write the value out, or quote the dollar sign.',
  Arithmetic: 'Nothing computes here; write the number out.',
  Background: 'An ampersand starts nothing here; ask for a background run instead.',
  HereDocument: 'Text for a program goes into a file or to its standard input, not into the line.',
  HistoryExpansion: 'An exclamation mark outside quotes stands for earlier lines; quote it.',
  Interpreter: 'This word would have something else interpret the line; run the program you mean.',
  ControlFlow: 'Branches and loops are a program; run the steps you mean.',
  Descriptor: 'The only copy of a stream is 2>&1.',
  IoNumber: 'Only standard error is redirected by number, as 2> or 2>>.',
  NotOnePath: 'A redirection names exactly one file, written out.',
  NotOneProgram: 'A step names exactly one program, written out.',
  NamedHome: 'A tilde stands for your own home directory, alone or before a slash.',
  NoHome: 'There is no home directory here that a tilde could stand for.',
  AssignmentValue: 'The value of an assignment is plain text.',
  NoMatch: 'A pattern matches no file.',
  TooMany: 'The line holds more than can be shown at once.',
  NotFound: 'There is no such program.',
  Interactive: 'This wants a terminal, and there is none.',
} as const;

export type LineRefusalCode = keyof typeof LINE_REFUSALS;

export interface LineRefusal {
  readonly code: LineRefusalCode;
  /** What was wrong and what to do. */
  readonly text: string;
}

export type CompiledLine = { readonly plan: LinePlan } | { readonly refused: LineRefusal };

/** Ends a compile. Caught in `compileLine` only, so that no half of a plan ever leaves it. */
export class LineRefused extends Error {
  readonly refusal: LineRefusal;

  /** `detail`: the part of the line it is about, in words. */
  constructor(code: LineRefusalCode, detail?: string) {
    const text = detail === undefined ? LINE_REFUSALS[code] : `${LINE_REFUSALS[code]} (${detail})`;
    super(text);
    this.refusal = { code, text };
  }
}
