/** Whether a plan is nothing but plain reads, and of what. Guarantees that a proven plan writes nothing, starts nothing else and reads only what is named; anything not shown to be safe must never be proven. */
import type { LinePlan, Step } from './line-plan.ts';
import { PROVABLE_PROGRAMS, type ProvableProgram } from './proof-table.ts';

export interface ProofContext {
  /** Absolute root of the workspace; absent: unknown, and then no absolute path is inside it. */
  readonly workspace?: string | undefined;
  /** Where the line runs, from the root; absent or `.` is the root itself. */
  readonly directory?: string | undefined;
  /** The file a program name stands for, absolute. Undefined where nobody knows: then nothing is proven. */
  readonly resolve: (program: string) => string | undefined;
}

/** The operands read, as spelled, each once and in order; empty where there is only standard input. Undefined: not proven. */
export function proveReads(plan: LinePlan, context: ProofContext): readonly string[] | undefined {
  if (plan.steps.length === 0 || !isRoot(context.directory)) return undefined;
  const reads = new Set<string>();
  for (const step of plan.steps) {
    const paths = proveStep(step, context);
    if (paths === undefined) return undefined;
    for (const path of paths) reads.add(path);
  }
  return [...reads];
}

function isRoot(directory: string | undefined): boolean {
  return directory === undefined || directory === '' || directory === '.' || directory === './';
}

function proveStep(step: Step, context: ProofContext): readonly string[] | undefined {
  const [name = '', ...args] = step.argv;
  if (Object.keys(step.env).length > 0 || step.redirects.length > 0) return undefined;
  const program = PROVABLE_PROGRAMS.get(name);
  if (program === undefined || !isInstalled(name, context)) return undefined;
  const paths = pathsRead(program, args);
  return paths?.every((path) => isInside(path, context.workspace)) ? paths : undefined;
}

/** A name is no program: it must stand for a file of that name, and not for one the project brought along. */
function isInstalled(name: string, context: ProofContext): boolean {
  const file = context.resolve(name);
  if (file === undefined || !file.startsWith('/') || file.slice(file.lastIndexOf('/') + 1) !== name) return false;
  if (file.split('/').includes('..')) return false;
  return context.workspace === undefined || !isBelow(file, context.workspace);
}

function isInside(path: string, workspace: string | undefined): boolean {
  if (path === '' || path.split('/').includes('..')) return false;
  return !path.startsWith('/') || (workspace !== undefined && isBelow(path, workspace));
}

/** By whole segments. */
function isBelow(path: string, directory: string): boolean {
  const segments = segmentsOf(path);
  return segmentsOf(directory).every((segment, at) => segments[at] === segment);
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

type Word = 'operand' | 'end_of_options' | 'option' | 'option_and_value' | 'recursive_option';

/**
 * The path operands of a call. Some implementations read an option anywhere, others stop at the first operand and open
 * what follows as files; a call where that makes a difference proves nothing.
 */
function pathsRead(program: ProvableProgram, args: readonly string[]): readonly string[] | undefined {
  const operands: string[] = [];
  let isRecursive = false;
  let onlyOperands = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const kind: Word | undefined = onlyOperands ? 'operand' : kindOf(program, word);
    if (kind === undefined || (kind !== 'operand' && operands.length > 0)) return undefined;
    if (kind === 'operand') operands.push(word);
    if (kind === 'end_of_options') onlyOperands = true;
    if (kind === 'recursive_option') isRecursive = true;
    if (kind === 'option_and_value') {
      at += 1;
      if (at >= args.length) return undefined;
    }
  }
  const files = operands.slice(program.instructions);
  if (files.length > 0 && !program.readsFiles) return undefined;
  const paths = files.filter((path) => !(program.dashIsInput && path === '-'));
  return isRecursive && paths.length === 0 ? undefined : paths;
}

function kindOf(program: ProvableProgram, word: string): Word | undefined {
  if (word === '--') return 'end_of_options';
  if (word === '-' || !word.startsWith('-')) return 'operand';
  if (word.startsWith('--')) return kindOfLong(program, word);
  const letters = word.slice(1);
  if (program.takesCount && [...letters].every((letter) => letter >= '0' && letter <= '9')) return 'option';
  if (program.valued.has(`-${letters.charAt(0)}`)) return letters.length === 1 ? 'option_and_value' : 'option';
  // Letters run together: where a value among them would sit is a guess, so there may be none.
  let kind: Word = 'option';
  for (const letter of letters) {
    if (program.recursive.has(`-${letter}`)) kind = 'recursive_option';
    else if (!program.plain.has(`-${letter}`)) return undefined;
  }
  return kind;
}

/** Spelled out in full: which option a shortened one means is for the program to say. */
function kindOfLong(program: ProvableProgram, word: string): Word | undefined {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  if (program.valued.has(name)) return equals < 0 ? 'option_and_value' : 'option';
  if (equals >= 0) return undefined;
  if (program.recursive.has(name)) return 'recursive_option';
  return program.plain.has(name) ? 'option' : undefined;
}
