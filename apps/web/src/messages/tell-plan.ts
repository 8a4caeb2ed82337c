/** Words for the parts of a plan and for how its steps ended; a step that did not run must never look as if it had. */
import type { StepEnd } from '../api/contract.ts';

export const CONNECTOR_WORDS: Record<string, string> = {
  '|': 'reads what the step before prints',
  '&&': 'only if what came before succeeded',
  '||': 'only if what came before failed',
  ';': 'then',
};

const REDIRECTS: Record<string, string> = {
  '<': 'reads from',
  '>': 'replaces with its output',
  '>>': 'adds its output to',
  '2>': 'replaces with its errors',
  '2>>': 'adds its errors to',
  '&>': 'replaces with output and errors',
  '2>&1': 'errors go where output goes',
};

export function tellRedirect(op: string): string {
  return REDIRECTS[op] ?? op;
}

const FAILURES: Record<string, string> = {
  not_found: 'program not found',
  not_a_program: 'no program that may run',
  redirect: 'a redirection led nowhere',
  directory: 'no such directory',
};

export function tellStepEnd({ ran, exit_code, signal, failure }: StepEnd): string {
  if (!ran) return 'did not run';
  if (failure !== '') return FAILURES[failure] ?? 'could not be started';
  return signal === '' ? `exit ${exit_code}` : `ended by ${signal}`;
}
