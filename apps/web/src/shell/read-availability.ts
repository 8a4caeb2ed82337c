/** What the list of tools says about @bravo as a whole; it repeats the server's reasons and must never make one up. */
import { isRecord, text } from '../conversation/read-event-data.ts';

export interface ToolsAvailability {
  /** Why @bravo cannot be used here; empty when it can. */
  off: string;
  /** Why programs cannot be run, when only that is missing. */
  noPrograms: string;
}

export function readAvailability(tools: readonly unknown[]): ToolsAvailability {
  const rows = tools.filter(isRecord);
  const denied = rows.filter((row) => row['policy_state'] === 'denied');
  const reasons = new Set(denied.map((row) => text(row['policy_reason'])));
  // One reason that takes every tool away is about @bravo, not about a tool.
  if (rows.length > 0 && denied.length === rows.length && reasons.size === 1)
    return { off: [...reasons][0] || 'Every tool of @bravo is denied here.', noPrograms: '' };
  const script = denied.find((row) => row['name'] === 'execute_script');
  return {
    off: '',
    noPrograms: script ? text(script['policy_reason']) || 'Running programs is not allowed here.' : '',
  };
}
