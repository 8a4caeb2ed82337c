/** Compiles a command line by a grammar of its own, without any shell. Guarantees a whole plan or one named refusal, in time bound by the line's length and the entries given; it must never yield part of a plan. */
import { PROGRAM_LIMITS } from '../limits/program-limits.ts';
import { expandWord, hasPattern, plainTextOf, type Surroundings } from './expand-word.ts';
import {
  type CompiledLine,
  type Connector,
  type LinePlan,
  LineRefused,
  type Redirect,
  type Step,
} from './line-plan.ts';
import { type EntryTree, treeOfEntries } from './match-entries.ts';
import { readWord, type Word } from './read-word.ts';
import { refuseInteractive, refuseTerminal } from './refuse-interactive.ts';
import { type Atom, scanLine, type Token } from './scan-line.ts';

export interface LineContext {
  /** What exists below the directory the line runs in, for patterns; links left out. Absolute paths are what exists elsewhere. */
  readonly files?: Iterable<string>;
  /** What `~` stands for. */
  readonly home?: string | undefined;
  /** Whether a program of this name can be run. */
  readonly isProgram: (name: string) => boolean;
}

/** Words that would have something else interpret the line. */
const INTERPRETERS = new Set(['eval', 'source', '.', 'exec', 'trap']);

const RESERVED = 'if then elif else fi for while until do done case esac select function coproc { } [[ ]]'.split(' ');
const CONTROL_FLOW = new Set(RESERVED);

/** A step before its words are expanded. */
interface RawStep {
  readonly words: readonly (readonly Atom[])[];
  readonly redirects: readonly { readonly op: Redirect['op']; readonly target?: readonly Atom[] }[];
}

/** More arguments than every command of the longest line may have at its widest pattern. */
const MOST_ARGUMENTS = PROGRAM_LIMITS['run-commands'].value * PROGRAM_LIMITS['run-words'].value;

export function compileLine(line: string, context: LineContext): CompiledLine {
  try {
    // The shape of the whole line is judged before anything is looked up, so that a refusal does not depend on what is installed.
    const { steps, connectors } = readSteps(scanLine(line));
    return { plan: expandSteps(steps, connectors, context) };
  } catch (thrown) {
    if (thrown instanceof LineRefused) return { refused: thrown.refusal };
    throw thrown;
  }
}

/** The plan as it reads: steps and connectors in turn. */
export function sequenceOf(plan: LinePlan): readonly (Step | Connector)[] {
  return plan.steps.flatMap((step, at) => {
    const connector = plan.connectors[at];
    return connector === undefined ? [step] : [step, connector];
  });
}

/** `step (connector step)*`, and a semicolon may end the line. */
function readSteps(tokens: readonly Token[]): { steps: readonly ReadStep[]; connectors: readonly Connector[] } {
  const steps: ReadStep[] = [];
  const connectors: Connector[] = [];
  let words: (readonly Atom[])[] = [];
  let redirects: RawStep['redirects'][number][] = [];
  const endStep = (): void => {
    if (words.length === 0) throw new LineRefused('Syntax', 'a step has no program');
    steps.push(readStep({ words, redirects }));
    const { value } = PROGRAM_LIMITS['run-commands'];
    if (steps.length > value) throw new LineRefused('TooMany', `a line may hold ${value} commands`);
    words = [];
    redirects = [];
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    if (token.kind === 'word') words.push(token.atoms);
    else if (token.kind === 'bracket') {
      // A word that opens control flow says more about the line than its brackets do.
      if (words.length > 0) endStep();
      throw new LineRefused('Syntax', 'brackets group nothing here; quote them');
    } else if (token.kind === 'connector') {
      endStep();
      if (token.connector === ';' && at === tokens.length - 1) return { steps, connectors };
      connectors.push(token.connector);
    } else if (token.op === '2>&1') redirects.push({ op: token.op });
    else {
      const target = tokens[at + 1];
      if (target?.kind !== 'word') throw new LineRefused('Syntax', 'a redirection names no file');
      redirects.push({ op: token.op, target: target.atoms });
      at += 1;
    }
  }
  endStep();
  return { steps, connectors };
}

interface ReadStep {
  readonly env: Readonly<Record<string, string>>;
  readonly words: readonly Word[];
  readonly redirects: readonly { readonly op: Redirect['op']; readonly target?: Word }[];
}

function readStep(raw: RawStep): ReadStep {
  // Without a prototype: `__proto__` is a name like any other.
  const env = Object.create(null) as Record<string, string>;
  let program = 0;
  for (const atoms of raw.words) {
    const assignment = readAssignment(atoms);
    if (assignment === undefined) break;
    env[assignment.name] = assignment.value;
    program += 1;
  }
  const words = raw.words.slice(program).map(readWord);
  const [first] = words;
  if (first === undefined) throw new LineRefused('Syntax', 'an assignment has nothing to run');
  const name = plainTextOf(first);
  if (name !== undefined && INTERPRETERS.has(name)) throw new LineRefused('Interpreter', name);
  if (name !== undefined && CONTROL_FLOW.has(name)) throw new LineRefused('ControlFlow', name);
  const redirects = raw.redirects.map(({ op, target }) =>
    target === undefined ? { op } : { op, target: readWord(target) },
  );
  return { env, words, redirects };
}

/** `NAME=text`, the name and its sign unquoted. */
function readAssignment(atoms: readonly Atom[]): { name: string; value: string } | undefined {
  let name = '';
  for (const [at, atom] of atoms.entries()) {
    if (atom.kind !== 'char' || atom.plain) return undefined;
    if (atom.char === '=') {
      if (name === '') return undefined;
      // The sign is kept in front, so that a tilde behind it is not at the start of a word: the value is the text that is written.
      const value = plainTextOf(readWord(atoms.slice(at)));
      if (value === undefined) throw new LineRefused('AssignmentValue', name);
      return { name, value: value.slice(1) };
    }
    if (!isNameCharacter(atom.char, name === '')) return undefined;
    name += atom.char;
  }
  return undefined;
}

function isNameCharacter(char: string, isFirst: boolean): boolean {
  const isLetter = (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || char === '_';
  return isLetter || (!isFirst && char >= '0' && char <= '9');
}

function expandSteps(steps: readonly ReadStep[], connectors: readonly Connector[], context: LineContext): LinePlan {
  let tree: EntryTree | undefined;
  const surroundings: Surroundings = {
    home: context.home,
    entries: () => (tree ??= treeOfEntries(context.files ?? [])),
  };
  return { steps: steps.map((step) => expandStep(step, surroundings, context)), connectors };
}

function expandStep(step: ReadStep, surroundings: Surroundings, context: LineContext): Step {
  const [programWord = [], ...operands] = step.words;
  const program = expandOne(programWord, surroundings, 'NotOneProgram');
  refuseInteractive(
    program,
    operands.map(plainTextOf).filter((text) => text !== undefined),
  );
  const argv = [program];
  for (const word of operands) {
    argv.push(...expandWord(word, surroundings));
    if (argv.length > MOST_ARGUMENTS) throw new LineRefused('TooMany', `a step may have ${MOST_ARGUMENTS} arguments`);
  }
  argv.forEach(refuseTerminal);
  if (program === '' || !context.isProgram(program)) throw new LineRefused('NotFound', program);
  const redirects = step.redirects.map(({ op, target }): Redirect => {
    if (target === undefined) return { op };
    const path = expandOne(target, surroundings, 'NotOnePath');
    if (path === '') throw new LineRefused('NotOnePath');
    refuseTerminal(path);
    return { op, path };
  });
  return { argv, env: step.env, redirects };
}

/** A program or a file must be written out: one that depends on what is on disk changes when the disk does. */
function expandOne(word: Word, surroundings: Surroundings, code: 'NotOneProgram' | 'NotOnePath'): string {
  if (hasPattern(word)) throw new LineRefused(code);
  const [one, ...more] = expandWord(word, surroundings);
  if (one === undefined || more.length > 0) throw new LineRefused(code);
  return one;
}
