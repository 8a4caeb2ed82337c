/** What a turn's record says of its end: whether it has come, and the code of an end that is no answer. */
import { type FaultCode, isFaultCode } from '@bravo/faults';
import type { TurnState } from '../conversations/orchestrator.ts';

const IN_PROGRESS: readonly string[] = ['queued', 'running'];

export const hasEnded = ({ status }: Pick<TurnState, 'status'>): boolean => !IN_PROGRESS.includes(status);

const CODE_OF_STATUS: Readonly<Record<string, FaultCode>> = {
  failed: 'turn_failed',
  cancelled: 'turn_cancelled',
  interrupted: 'turn_interrupted',
};

/** The message's own code where it has one; a status nobody knows is told as an interruption, never as an answer. */
export const codeOfTurn = ({ status, assistantMessage }: Pick<TurnState, 'status' | 'assistantMessage'>): FaultCode => {
  const stored = assistantMessage?.error_code ?? '';
  return isFaultCode(stored) ? stored : (CODE_OF_STATUS[status] ?? 'turn_interrupted');
};
